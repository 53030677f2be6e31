{#-
  A column as something that Spark can compare, group and sort, where equal values and only they are
  equal: maps as sorted entries, variants as text. place: SQL; column: {type, parts}.

  leaves: more types to convert, to what has one spelling: for texts, 0.0 and -0.0.
-#}
{% macro comparable_sql(place, column, leaves=[]) -%}
{%- set kind, inner = column.type.split('<')[0], [] -%}
{%- if kind == 'variant' -%}
{#- its zone is the session's, and 1 is not written as 1.0 -#}
{{ return('to_json(parse_json(to_json(' ~ place ~ ", map('timeZone', 'UTC'))))") }}
{%- elif kind in leaves -%}
{{ return('(' ~ place ~ ' + cast(0 as ' ~ kind ~ '))') }}
{%- elif not dbt_changelog._is_converted(column, leaves) -%}
{{ return(place) }}
{%- endif -%}
{%- for part in column.parts -%}
{%- set name = dbt_changelog.quote(part.name) -%}
{%- do inner.append(dbt_changelog.comparable_sql(
    dbt_changelog.part_sql(place, column, part), part, leaves)
    ~ (' as ' ~ name if kind == 'struct')) -%}
{%- endfor -%}
{%- if kind == 'struct' -%}
{{ return('if(' ~ place ~ ' is null, null, struct(' ~ inner | join(', ') ~ '))') }}
{%- elif kind == 'array' -%}
{{ return('transform(' ~ place ~ ', item -> ' ~ inner[0] ~ ')') }}
{%- endif -%}
{%- set entries = 'map_entries(' ~ place ~ ')' -%}
{%- set sorted = 'array_sort(' ~ (entries if inner == ['item.key', 'item.value']
    else 'transform(' ~ entries ~ ', item -> struct(' ~ inner[0] ~ ' as key, ' ~ inner[1]
         ~ ' as value))') ~ ')' -%}
{#- in a text it is an object again -#}
{{ return('map_from_entries(' ~ sorted ~ ')' if leaves and column.parts[0].type == 'string'
          else sorted) }}
{%- endmacro %}

{% macro _is_converted(column, leaves) -%}
{%- if column.type.split('<')[0] in ['map', 'variant'] + leaves -%}
{{ return(true) }}
{%- endif -%}
{%- for part in column.parts or [] if dbt_changelog._is_converted(part, leaves) -%}
{{ return(true) }}
{%- endfor -%}
{{ return(false) }}
{%- endmacro %}
