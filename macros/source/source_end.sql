{#-
  How far the source reaches now: {column, type, value}, or none when it has no rows.

  A timestamp is kept as microseconds since 1970: its text would depend on the session's time zone.
-#}
{% macro source_end(relation, column) -%}
{%- set name = dbt_changelog.quote(column) -%}
{%- set type = dbt_changelog.describe_query('select ' ~ name ~ ' from ' ~ relation)[0].type -%}
{%- set value = ('unix_micros(max(' ~ name ~ '))') if type == 'timestamp'
    else 'max(' ~ name ~ ')' -%}
{%- set found = run_query('select cast(' ~ value ~ ' as string) from ' ~ relation).rows[0][0] -%}
{{ return({'column': column, 'type': type, 'value': found | string} if found is not none
          else none) }}
{%- endmacro %}
