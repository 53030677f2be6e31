{#- All rows of the state with those of a batch: what a MERGE would leave. -#}
{% macro merged_rows_sql(plan, rows) -%}
{%- set written = plan.payload + plan.passthrough
    + dbt_changelog.own_columns() | reject('equalto', '_was_live') | list -%}
{%- set columns = written + ['_was_live'] -%}
select _row.*
from (
  select
    case
      when batch._row_kind is null
        then struct({{ dbt_changelog.csv(columns, prefix='state.') }})
      when state._row_kind is null
        then struct({{ dbt_changelog.csv(columns, prefix='batch.') }})
      when {{ dbt_changelog.is_newer_sql(plan) | indent(6) }}
        then struct({{ dbt_changelog.csv(written, prefix='batch.') }},
          {{ dbt_changelog.was_live_sql() | indent(10) }} as _was_live)
      else struct({{ dbt_changelog.csv(columns, prefix='state.') }})
    end as _row
  from {{ plan.relations.state }} as state
  full outer join (
{{ rows }}
  ) as batch
    on {{ dbt_changelog.same_key_sql(plan) }}
) as merged_rows
{%- endmacro %}
