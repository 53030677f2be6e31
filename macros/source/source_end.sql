{#-
  How far the source reaches now: {column, type, value}, or none when it has no rows. least: a
  position that it reaches at least, though its rows may be gone.

  A timestamp is kept as microseconds since 1970: its text would depend on the session's time zone.
-#}
{% macro source_end(relation, column, least=none) -%}
{%- set name = dbt_changelog.quote(column) -%}
{%- set type = dbt_changelog.describe_query('select ' ~ name ~ ' from ' ~ relation)[0].type -%}
{%- set value = 'max(' ~ name ~ ')' -%}
{%- if least is not none and least.type == type -%}
{%- set value = 'greatest(' ~ value ~ ', ' ~ dbt_changelog.position_sql(least) ~ ')' -%}
{%- endif -%}
{%- set value = ('unix_micros(' ~ value ~ ')') if type == 'timestamp' else value -%}
{%- set found = run_query('select cast(' ~ value ~ ' as string) from ' ~ relation).rows[0][0] -%}
{{ return({'column': column, 'type': type, 'value': found | string} if found is not none
          else none) }}
{%- endmacro %}
