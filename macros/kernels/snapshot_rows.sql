{#-
  The kernel of what a to_changelog model with a key knows of its query: the rows of the last batch.
  They come from a diff, which has one change a key and no late ones, so there is nothing to weigh
  and no tombstone to keep. Its traits, and its verbs (kernel_of).
-#}
{% macro snapshot_rows() -%}
{{ return({
  'stages_batches': true,
  'is_live': 'true',
  'is_tombstone': 'false',
  'columns': ['_batch_id', '_changed_at'],
  'changes': dbt_changelog.batch_changes_ctes,
  'changes_name': 'changes',
  'rows': dbt_changelog.changed_rows_cte,
  'merge': dbt_changelog.merge_snapshot_sql,
  'contents': dbt_changelog.snapshot_sql,
}) }}
{%- endmacro %}

{#- The rows that the changes of a diff leave or take, as a CTE: `changes` -> `state_rows`. -#}
{% macro changed_rows_cte(plan, batch) -%}
state_rows as (
  select
    {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n    ') }},
{%- if not batch.creates %}
    _row_kind,
{%- endif %}
    cast({{ batch.id }} as bigint) as _batch_id,
    {{ plan.now }} as _changed_at
  from changes
  where _row_kind <> 'UPDATE_BEFORE'
)
{%- endmacro %}

{#- One commit for all rows of a batch; a second time it changes nothing. -#}
{% macro merge_snapshot_sql(plan, rows) -%}
{%- set columns = plan.payload + plan.passthrough + dbt_changelog.snapshot_rows().columns -%}
merge into {{ plan.relations.state }} as state
using (
{{ rows }}
) as change
on {{ dbt_changelog.same_key_sql(plan) }}
when matched and change._row_kind = 'DELETE' then delete
when matched then update set
{%- for name in columns if name not in plan.unique_key %}
  {{ dbt_changelog.quote(name) }} = change.{{ dbt_changelog.quote(name) }}{{ ',' if not loop.last }}
{%- endfor %}
when not matched and change._row_kind <> 'DELETE' then insert (
  {{ dbt_changelog.csv(columns, separator=',\n  ') }}
) values (
  {{ dbt_changelog.csv(columns, prefix='change.', separator=',\n  ') }}
)
{%- endmacro %}

{#- The rows of the last batch. -#}
{% macro snapshot_sql(plan, state) -%}
select
  {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') }}
from {{ state }}
{%- endmacro %}
