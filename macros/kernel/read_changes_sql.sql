{#- The changelog that a query reads, ordered over its batches. -#}
{% macro read_changes_sql(plan) -%}
select
  `_row_kind`,
  struct(`_batch_id`, `_sequence`) as _sequence,
  `_ordinal`,
  {{ dbt_changelog.csv(plan.state_columns | map(attribute='name'), separator=',\n  ') }}
from (

{{ plan.query }}

) as query
{%- endmacro %}
