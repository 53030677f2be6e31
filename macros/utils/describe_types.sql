{#-
  The columns of a query as [{name, type}], with types that Spark reads again. What it says of a
  type is no such text: names stand in it without quotes, and a long struct is cut. So a nested type
  of which that may be true is made of what is inside it.
-#}
{% macro describe_types(query) -%}
{%- set columns = [] -%}
{%- for column in dbt_changelog.describe_query(query) -%}
{%- do columns.append(dict(column, type=dbt_changelog._whole_type(query, column))) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}

{% macro _whole_type(query, column) -%}
{%- if dbt_changelog._is_plain_type(column.type) -%}
{{ return(column.type) }}
{%- endif -%}
{%- set parts, items = dbt_changelog.describe_types(
    dbt_changelog.inside_sql(query, column)), [] -%}
{%- set kind = column.type.split('<')[0] -%}
{%- for part in parts -%}
{%- do items.append((dbt_changelog.quote(part.name) ~ ':' if kind == 'struct' else '') ~ part.type)
-%}
{%- endfor -%}
{{ return(kind ~ '<' ~ items | join(',') ~ '>') }}
{%- endmacro %}

{#- Whether all of a type is made of types without parts and of names that need no quotes. -#}
{% macro _is_plain_type(type) -%}
{%- set rest, leaf = namespace(type=type), '[a-z_]+(?:\\(\\d+(?:,\\d+)?\\))?' -%}
{%- set field = '[A-Za-z_][A-Za-z_0-9]*:' ~ leaf -%}
{%- for _ in range(type.count('<')) -%}
{%- set rest.type = modules.re.sub('array<' ~ leaf ~ '>|map<' ~ leaf ~ ',' ~ leaf ~ '>|struct<'
    ~ field ~ '(?:,' ~ field ~ ')*>', 'int', rest.type) -%}
{%- endfor -%}
{{ return('<' not in rest.type) }}
{%- endmacro %}
