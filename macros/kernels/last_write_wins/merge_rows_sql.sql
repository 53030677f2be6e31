{#- The rows of a batch brought into the state. -#}

{% macro merge_rows_sql(plan, rows) -%}
{{ dbt_changelog.merge_sql(plan, rows, dbt_changelog._merging_rows(plan)) }}
{%- endmacro %}

{% macro merged_rows_ctes(plan) -%}
{{ dbt_changelog.merged_ctes(plan, dbt_changelog._merging_rows(plan)) }}
{%- endmacro %}

{#- A change that wins its key replaces the row; merge_sql says what these are. -#}
{% macro _merging_rows(plan) -%}
{%- set columns = plan.payload + plan.passthrough
    + ['_sequence', '_row_kind', '_image_hash', '_batch_id', '_changed_at'] -%}
{{ return({
  'same': dbt_changelog.same_key_sql(plan),
  'is_changed': dbt_changelog.place_sql(plan, dbt_changelog.joined_sides(plan)),
  'changed': dict(dbt_changelog.columns_of_change(columns | reject('in', plan.unique_key)),
                  _was_live=dbt_changelog._was_live_sql()),
  'columns': columns + ['_was_live'],
}) }}
{%- endmacro %}

{#-
  The rows of a batch, and whether the MERGE writes them, as a CTE: `state_rows` -> `outcome`.
  A column, since Spark would look for what else is asked of the rows before it joins and filters.
-#}
{% macro outcome_of_rows_cte(plan) -%}
outcome as (
  select
    change.*,
    state._row_kind is null
      or {{ dbt_changelog.place_sql(plan, dbt_changelog.joined_sides(plan)) | indent(6) }}
      as _dbtc_is_written
  from state_rows as change
  left join {{ dbt_changelog.state_name(plan) }} as state
    on {{ dbt_changelog.same_key_sql(plan) }}
)
{%- endmacro %}

{#-
  Keys are never NULL, so they join by plain equality; but where a truncate is a row without a key.
-#}
{% macro same_key_sql(plan, change='change.', state='state.') -%}
{%- set terms, equals = [], ' <=> ' if plan.get('truncates_are_rows') else ' = ' -%}
{%- for name in plan.unique_key -%}
{%- set column = dbt_changelog.quote(name) -%}
{%- do terms.append(state ~ column ~ equals ~ change ~ column) -%}
{%- endfor -%}
{{ return(terms | join(' and ')) }}
{%- endmacro %}

{#-
  Whether a key had a row before the batch that replaces it; NULL if it had just this one. What the
  batch itself has written, in a run that was killed, is not before it.
-#}
{% macro _was_live_sql() -%}
{%- set was = dbt_changelog.is_live_sql('state.') -%}
case
  when state._batch_id = change._batch_id and state._was_live is not null then state._was_live
  when {{ was }} and {{ dbt_changelog.is_live_sql('change.') }}
    and state._image_hash = change._image_hash then null
  else {{ was }}
end
{%- endmacro %}
