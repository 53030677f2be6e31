{#-
  The kernel of merge='on_read': last_write_wins whose batches are appended. The state keeps the
  last change that each batch had of a key, and whoever reads it takes the greatest of them
  (current_rows_ctes); compact_sql deletes the others. Its traits, and its verbs (kernel_of).

  What was there before a batch is not looked at, so the batch does not say what it did to the
  contents, and a tie between batches is found when the state is compacted, by diagnose, or at once
  where the rows before are read anyway: for a changelog, and for counters='full'.
-#}
{% macro merge_on_read() -%}
{{ return(dict(dbt_changelog.last_write_wins(), **{
  'appends': true,
  'rows': dbt_changelog.appended_rows_ctes,
  'merge': dbt_changelog.append_rows_sql,
  'merged': none,
  'outcome': none,
  'contents': dbt_changelog.current_contents_sql,
})) }}
{%- endmacro %}

{#-
  The rows that a batch appends, as CTEs: `hashed_changes` -> `state_rows`: the last change of each
  key, unless it is one of those that may come twice: what the last batch wrote, whose last position
  is read again, and what was appended since the last compaction, by a run that was killed, too; nor
  is what was erased appended again. Of a batch that ends where the last one did nothing is appended
  that any row of the state says.
-#}
{% macro appended_rows_ctes(plan, batch) -%}
{%- if batch.creates -%}
{{ return(dbt_changelog.last_rows_ctes(plan, batch)) }}
{%- endif -%}
{%- set is_read_again, log = batch.position == batch.last.position, batch.stored.log -%}
{%- set known = [log.compacted, log.batch.id - (0 if plan.read.strict else 1)] | min -%}
{{ dbt_changelog.last_rows_ctes(plan, batch, 'last_rows') }},

state_rows as (
  select *
  from last_rows as change
  left anti join {{ plan.relations.state }} as state
    on {{ dbt_changelog.same_key_sql(plan) }}
    and if(
      state._image_hash is null,  -- erased
      change._sequence <= state._sequence,
      change._sequence = state._sequence
      and change._image_hash = {{ dbt_changelog.stored_hash_sql(plan, 'state.', as_read=true)
                                  | indent(6) }}
    )
{%- if not is_read_again %}
    and state._batch_id > {{ known }}
{%- endif %}
)
{%- endmacro %}

{#- One append: nothing that the state has is written anew. -#}
{% macro append_rows_sql(plan, rows) -%}
{{ return(dbt_changelog.append_sql(plan.relations.state, plan.payload + plan.passthrough
    + ['_sequence', '_row_kind', '_image_hash', '_batch_id', '_was_live', '_changed_at'], rows)) }}
{%- endmacro %}

{#- The contents: of each key its greatest row, if that lives. -#}
{% macro current_contents_sql(plan, state) -%}
with {{ dbt_changelog.current_rows_ctes(plan, state) }}

{{ dbt_changelog.contents_sql(plan, 'current_rows') }}
{%- endmacro %}
