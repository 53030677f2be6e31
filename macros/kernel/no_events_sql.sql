{#- The change events of a to_changelog model, without rows: for what needs their columns. -#}
{% macro no_events_sql(plan) -%}
with changes as (
{{ (dbt_changelog.read_changes_sql(plan) if plan.input == 'changes'
      else "select 'INSERT' as _row_kind, cast(0 as bigint) as _sequence, 0 as _ordinal, *"
        ~ '\nfrom (\n' ~ dbt_changelog.query_rows_sql(plan) ~ '\n) as query_rows') }}
)

select *
from (
  {{ dbt_changelog.encode_sql(dict(plan, batch_id=0), 'changes') | indent(2) }}
) as events
where false
{%- endmacro %}
