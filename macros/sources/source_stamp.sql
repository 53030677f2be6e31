{#- How a run knows that it would read again what it has read, and nothing else. -#}

{#-
  What a source is known by: the version of a Delta or Iceberg table, and which of its rows are
  meant, as one text; none of a view, and of a table without versions.
-#}
{% macro source_stamp(relation, where) -%}
{%- set version = dbt_changelog._version(relation) -%}
{{ return(none if version is none else local_md5(tojson([version, where]))) }}
{%- endmacro %}

{#- A version of a table that is made anew under its name must be another one, too. -#}
{% macro _version(relation) -%}
{%- set properties = dbt_changelog.described_table(relation, false).properties -%}
{%- if dbt_changelog.format_of_table(properties) != 'delta' -%}
{{ return(properties.get('current-snapshot-id')) }}
{%- endif -%}
{#- not everybody who may read a table may see its history -#}
{%- set newest = dbt_changelog.attempt(
    dbt_changelog.format_of('delta').newest_version(relation)).table -%}
{{ return(newest.rows[0]['version'] ~ ' ' ~ newest.rows[0]['timestamp'] if newest else none) }}
{%- endmacro %}

{#-
  What all that the query of a plan reads is known by, {relation: stamp}, and how it reads it (''):
  its text but for the positions, and the configs that say what an event is. Nothing where it may
  read something else, or depends on the time. node: the model, of which dbt knows what it reads.
-#}
{% macro read_stamps(plan, node) -%}
{%- set stamps, text = {}, namespace(sql=plan.query) -%}
{%- set nodes = (node.get('depends_on') or {}).get('nodes', []) -%}
{%- for range in dbt_changelog.find_ranges(plan.query) -%}
{%- do stamps.setdefault(range.relation, range.get('stamp')) -%}
{%- for bound in dbt_changelog.range_bounds(range, plan.read.get('lookback')) -%}
{%- set text.sql = text.sql | replace(bound, '') -%}
{%- endfor -%}
{%- endfor -%}
{%- set sql = modules.re.sub('/\\* dbt_changelog range .* \\*/|(?<=\\() and (?=\\))', '', text.sql)
-%}
{{ return({} if none in stamps.values() or not stamps or nodes | length > stamps | length
          or not dbt_changelog._reads_only(sql | lower, stamps | map('lower') | list)
          else dict(stamps, **{'': local_md5(tojson([sql, plan.read, plan.op_mapping,
            plan.invalid_op_handling, plan.uncompared], sort_keys=true))})) }}
{%- endmacro %}

{#-
  Whether nothing but these relations and its own CTEs stands in a query, nor a time: a guess by its
  text, which rather says no. Of what dbt knows, it is told by depends_on, too.
-#}
{% macro _reads_only(sql, relations) -%}
{%- set known = relations + modules.re.findall('(\\w+)\\s+as\\s*\\(', sql) -%}
{%- set reads = modules.re.findall('\\b(?:from|join|table)\\s+([^\\s()]+)', sql) -%}
{%- set after_comma = '\\)\\s*(as\\s+)?\\w*\\s*,\\s*[\\w`]+[.][\\w`.]+\\s*(as\\s+)?\\w*\\s*'
    ~ '($|[)]|where\\b|union\\b|group\\b|order\\b|join\\b|left\\b|inner\\b|cross\\b)' -%}
{%- set times = '\\b(current_|now\\b|localtime|curdate|getdate|unix_timestamp|rand|uuid)' -%}
{{ return(not reads | reject('in', known) | list
          and not modules.re.search(after_comma ~ '|' ~ times, sql)) }}
{%- endmacro %}
