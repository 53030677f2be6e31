{#-
  One commit for all weights. Each row that it writes gets the batch's id; that of weight zero too,
  which stays until it is purged (is_written_once_sql).
-#}
{% macro merge_weights_sql(plan, rows) -%}
{%- set columns = plan.payload + plan.passthrough + dbt_changelog.multiset().columns -%}
merge into {{ plan.relations.state }} as state
using (
{{ rows }}
) as change
on {{ dbt_changelog.same_row_sql(plan) }}
when matched
  and {{ dbt_changelog.is_written_once_sql(plan) | indent(2) }}
then update set
  _weight = state._weight + change._weight,
  _weight_before = state._weight,
  _batch_id = change._batch_id,
  _changed_at = change._changed_at
when not matched then insert (
  {{ dbt_changelog.csv(columns, separator=',\n  ') }}
) values (
  {{ dbt_changelog.csv(columns, prefix='change.', separator=',\n  ') }}
)
{%- endmacro %}

{#-
  Rows that came to nothing, and are no mark of this batch. A statement of its own: as a branch of
  the MERGE (not matched by source) it doubles its time.
-#}
{% macro purge_weights_sql(plan, batch) -%}
delete from {{ plan.relations.state }}
where _weight = 0 and _batch_id < {{ batch.id }}
{%- endmacro %}
