{#- How many rows of the contents a batch inserted, updated and deleted, and of the state wrote. -#}
{% macro count_rows_sql(plan, batch) -%}
select
{%- for name, sql in dbt_changelog.kernel_macros(plan).row_counts.items() %}
  {{ sql }} as {{ name }},
{%- endfor %}
  count(*) as written
from {{ batch.state }}
where _batch_id = {{ batch.id }}
{%- endmacro %}
