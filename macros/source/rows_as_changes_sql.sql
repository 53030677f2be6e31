{#- The rows of a table as the changes that made it, all at one version. columns: SQL text. -#}
{% macro rows_as_changes_sql(table, columns='*', version=0) -%}
select
  'INSERT' as _row_kind,
  cast({{ version }} as bigint) as _sequence,
  1 as _ordinal,
  {{ columns }},
  cast({{ version }} as bigint) as _batch_id
from {{ table }}
{%- endmacro %}
