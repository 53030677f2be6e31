{#- The rows of a batch brought into the state. -#}

{#-
  One commit for contents, tombstones and sequences. rows: a query as last_rows_ctes gives it; it is
  not indented, since the user's query may hold strings of several lines.
-#}
{% macro merge_rows_sql(plan, rows) -%}
{%- set columns = plan.payload + plan.passthrough
    + ['_sequence', '_row_kind', '_image_hash', '_batch_id', '_changed_at'] -%}
merge into {{ plan.relations.state }} as state
using (
{{ rows }}
) as change
on {{ dbt_changelog.same_key_sql(plan) }}
when matched
  and {{ dbt_changelog.place_sql(plan, dbt_changelog.joined_sides(plan)) | indent(2) }}
then update set
{%- for name in columns if name not in plan.unique_key %}
  {{ dbt_changelog.quote(name) }} = change.{{ dbt_changelog.quote(name) }},
{%- endfor %}
  _was_live = {{ dbt_changelog._was_live_sql() | indent(2) }}
when not matched then insert (
  {{ dbt_changelog.csv(columns + ['_was_live'], separator=',\n  ') }}
) values (
  {{ dbt_changelog.csv(columns + ['_was_live'], prefix='change.', separator=',\n  ') }}
)
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
  The state after a batch as a query, where there is no MERGE, as CTEs: `state_rows` ->
  `merged_rows`.
-#}
{% macro merged_rows_ctes(plan) -%}
{%- set columns = plan.payload + plan.passthrough
    + ['_sequence', '_row_kind', '_image_hash', '_batch_id', '_changed_at'] -%}
{%- set between = ',\n          ' -%}
{%- set kept = 'struct(\n          '
    ~ dbt_changelog.csv(columns + ['_was_live'], prefix='state.', separator=between)
    ~ '\n        )' -%}
joined_rows as (
  select
    case
      when change._row_kind is null
        then {{ kept }}
      when state._row_kind is null
        then struct(
          {{ dbt_changelog.csv(columns + ['_was_live'], prefix='change.', separator=between) }}
        )
      when {{ dbt_changelog.place_sql(plan, dbt_changelog.joined_sides(plan)) | indent(6) }}
        then struct(
          {{ dbt_changelog.csv(columns, prefix='change.', separator=between) }},
          {{ dbt_changelog._was_live_sql() | indent(10) }} as _was_live
        )
      else {{ kept }}
    end as _dbtc_row
  from {{ plan.relations.state }} as state
  full outer join state_rows as change
    on {{ dbt_changelog.same_key_sql(plan) }}
),

merged_rows as (
  select _dbtc_row.*
  from joined_rows
)
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
