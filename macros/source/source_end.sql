{#-
  How far the source reaches now: {column, type, value}, or none when it has no rows. least: a
  position that it reaches at least, though its rows may be gone.

  The plain max of an integer comes from the statistics of Delta and Iceberg, whatever the table's
  size. A timestamp is kept as microseconds since 1970: its text would depend on the session's time
  zone.
-#}
{% macro source_end(relation, column, least=none) -%}
{%- set name = dbt_changelog.quote(column) -%}
{%- set type = dbt_changelog.describe_query('select ' ~ name ~ ' from ' ~ relation)[0].type -%}
{%- set least = least if least and least.type == type else none -%}
{%- set newest = 'max(' ~ name ~ ')' -%}
{%- if type in ['tinyint', 'smallint', 'int', 'bigint'] -%}
{%- set found = run_query('select ' ~ newest ~ ' from ' ~ relation).rows[0][0] -%}
{%- set value = ([found, least.value if least else none] | reject('none') | map('int')
    | list or [none]) | max -%}
{%- else -%}
{%- set newest = 'greatest(' ~ newest ~ ', ' ~ dbt_changelog.position_sql(least) ~ ')' if least
    else newest -%}
{%- set newest = ('unix_micros(' ~ newest ~ ')') if type == 'timestamp' else newest -%}
{%- set value = run_query('select cast(' ~ newest ~ ' as string) from ' ~ relation).rows[0][0] -%}
{%- endif -%}
{{ return({'column': column, 'type': type, 'value': value | string}
          if value is not none else none) }}
{%- endmacro %}
