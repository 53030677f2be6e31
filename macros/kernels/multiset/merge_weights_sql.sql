{#-
  One commit for all weights. Each row that it writes gets the batch's id; that of weight zero too,
  which stays until it is purged. So a row that has the id already was written by this very batch,
  in another run: adding to it again would count twice.

  Delta evaluates conditions on unmatched rows with NULL columns: the error must stand in the branch
  of an equality.
-#}
{% macro merge_weights_sql(plan, rows) -%}
{%- set columns = plan.payload + plan.passthrough + dbt_changelog.multiset().columns -%}
merge into {{ plan.relations.state }} as state
using (
{{ rows }}
) as change
on {{ dbt_changelog._same_row_sql(plan) }}
when matched
  and if(
    state._batch_id = change._batch_id,
    {{ dbt_changelog.raise_error_sql(
      'The state of ' ~ plan.where ~ ' has rows of a batch that was not committed, ',
      'change._batch_id', ': another run works on it, or its staged changes were lost.\nTo fix: let'
      ~ ' the other run end and run again; if there is none, run with --full-refresh if the'
      ~ ' source still has all events.') }},
    true
  )
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

{#- Whether two rows are the same: found by their hash, decided by all of their columns. -#}
{% macro _same_row_sql(plan) -%}
{%- set terms, comparable = ['state._image_hash = change._image_hash'],
    dbt_changelog.comparable_sql -%}
{%- for column in plan.compared -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- do terms.append(
    comparable('state.' ~ name, column) ~ ' <=> ' ~ comparable('change.' ~ name, column)) -%}
{%- endfor -%}
{{ return(terms | join('\n  and ')) }}
{%- endmacro %}

{#-
  Rows that came to nothing, and are no mark of this batch. A statement of its own: as a branch of
  the MERGE (not matched by source) it doubles its time.
-#}
{% macro purge_weights_sql(plan, batch) -%}
delete from {{ plan.relations.state }}
where _weight = 0 and _batch_id < {{ batch.id }}
{%- endmacro %}
