{#- No rows, with the columns of a changelog; under --empty its model may not have made it yet. -#}
{% macro no_changes_sql(relation, changelog) -%}
(
{%- if dbt_changelog.table_exists(changelog) %}
  select * from {{ changelog }}
{%- else %}
  select 'INSERT' as _row_kind, 0 as _sequence, 0 as _ordinal, *, 0 as _batch_id
  from {{ relation }}
{%- endif %}
  where false
)
{%- endmacro %}
