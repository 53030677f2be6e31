{#- A table as one side of a diff with a key; of two rows of one key one knows of the other. -#}
{% macro diff_side_sql(plan, table, side) -%}
{%- set key = dbt_changelog.csv(plan.unique_key) -%}
select
  {{ key }},
  {{ dbt_changelog.known_row_sql('_row') | indent(2) }} as {{ side }},
  lag(true) over (partition by {{ key }} order by {{ key }}) as {{ side }}_is_second
from (
  select {{ key }}, struct(*) as _row
  from {{ table }}
) as rows
{%- endmacro %}
