{#- The changelog that a query reads, ordered over its batches. -#}
{% macro read_changes_sql(plan) -%}
select
  `_row_kind`,
  struct(`_batch_id`, `_sequence`) as _sequence,
  `_ordinal`,
  {{ dbt_changelog.state_columns_sql(plan) | indent(2) }}
from (

{{ plan.query }}

) as query
{%- endmacro %}
