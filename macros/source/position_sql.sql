{#- A position less a lookback, as a SQL value of the column's type. -#}
{% macro position_sql(position, lookback=none) -%}
{%- set value = {
  'timestamp': 'timestamp_micros(' ~ position.value ~ ')', 'binary': "X'" ~ position.value ~ "'",
}.get(position.type, 'cast(' ~ dbt_changelog.literal(position.value) ~ ' as ' ~ position.type
      ~ ')') -%}
{%- set delay = lookback if lookback is number else "interval '" ~ lookback ~ "'" -%}
{{ return(value if lookback is none else value ~ ' - ' ~ delay) }}
{%- endmacro %}
