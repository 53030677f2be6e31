{#- A table as one side of a diff with a key; of two rows of one key one knows of the other. -#}
{% macro diff_side_sql(plan, table, side) -%}
{%- set key = dbt_changelog.csv(plan.unique_key) -%}
select
  {{ key }},
  struct(*) as {{ side }},
  lag(true) over (partition by {{ key }} order by {{ key }}) as {{ side }}_is_second
from {{ table }}
{%- endmacro %}
