{#-
  One commit for all weights. Each row that it writes gets the batch's id; that of weight zero too,
  which stays until it is purged. So a row that has the id already was written by this very batch,
  in another run: adding to it again would count twice.

  Delta evaluates conditions on unmatched rows with NULL columns: the error must stand in the branch
  of an equality.
-#}
{% macro merge_weights_sql(plan, rows) -%}
{%- set columns = plan.payload + plan.passthrough
    + ['_weight', '_weight_before', '_image_hash', '_batch_id', '_changed_at'] -%}
merge into {{ plan.relations.state }} as state
using (
{{ rows }}
) as batch
on {{ dbt_changelog.same_row_sql(plan) }}
when matched
  and if(
    state._batch_id = batch._batch_id,
    {{ dbt_changelog.raise_error_sql(
      'The state of ' ~ plan.where ~ ' has rows of a batch that was not committed, ',
      'batch._batch_id', ': another run works on it, or its staged changes were lost.\nTo fix: let'
      ~ ' the other run end and run again; if there is none, run with --full-refresh.') }},
    true
  )
then update set
  _weight = state._weight + batch._weight,
  _weight_before = state._weight,
  _batch_id = batch._batch_id,
  _changed_at = batch._changed_at
when not matched then insert (
  {{ dbt_changelog.csv(columns) }}
) values (
  {{ dbt_changelog.csv(columns, prefix='batch.') }}
)
{%- endmacro %}
