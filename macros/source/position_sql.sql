{#- A position as a SQL value of the column's type. -#}
{% macro position_sql(position) -%}
{%- if position.type == 'timestamp' -%}
{%- set epoch = modules.datetime.datetime(1970, 1, 1) -%}
{%- set time = epoch + modules.datetime.timedelta(microseconds=position.value | int) -%}
{{ return("timestamp'" ~ time.isoformat(' ') ~ "Z'") }}
{%- endif -%}
{{ return('cast(' ~ dbt_changelog.literal(position.value) ~ ' as ' ~ position.type ~ ')') }}
{%- endmacro %}
