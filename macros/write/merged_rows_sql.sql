{#- All rows of the state with those of a batch: what a MERGE would leave. -#}
{% macro merged_rows_sql(plan, rows) -%}
{%- set own = ['_sequence', '_row_kind', '_image_hash', '_batch_id', '_changed_at'] -%}
{%- set columns = plan.payload + plan.passthrough + own -%}
select _row.*
from (
  select
    case
      when batch._row_kind is null then struct({{ dbt_changelog.csv(columns, prefix='state.') }})
      when state._row_kind is null
        or {{ dbt_changelog.is_newer_sql(plan) | indent(6) }}
        then struct({{ dbt_changelog.csv(columns, prefix='batch.') }})
      else struct({{ dbt_changelog.csv(columns, prefix='state.') }})
    end as _row
  from {{ plan.relations.state }} as state
  full outer join (
{{ rows }}
  ) as batch
    on {{ dbt_changelog.same_key_sql(plan) }}
) as merged_rows
{%- endmacro %}
