{#-
  The changelog that a batch emits, as CTEs: `sent_changes` -> `emitted`: whole rows, one step per
  key: how the row after the batch differs from that before it.
-#}
{% macro emitted_rows_ctes(plan, batch) -%}
{%- set has_state = batch.has_state and not batch.creates -%}
{%- set names = plan.payload + plan.passthrough -%}
{{ dbt_changelog.settled_rows_ctes(plan, batch) }},

merged_rows as (
  select
{%- for name, sql in dbt_changelog.settled_columns(plan, true).items()
    if name in names + ['_sequence', '_row_kind'] %}
    {{ sql | indent(4) ~ ' as ' if has_state else 'change.' }}{{ dbt_changelog.quote(name) }},
{%- endfor %}
    if({{ dbt_changelog.is_live_sql('state.') if has_state else 'false' }}, struct(
      {{ dbt_changelog.csv(names, prefix='state.' if has_state else 'change.',
                           separator=',\n      ') }}
    ), null) as _dbtc_old
  from state_rows as change
{%- if has_state %}
  left join {{ plan.relations.state }} as state
    on {{ dbt_changelog.same_key_sql(plan) }}
{%- endif %}
{{- "\n  where change._row_kind <> 'TRUNCATE'" if plan.truncates }}
{{- '\n    and ' if plan.truncates and has_state else '\n  where ' if has_state }}
{{- dbt_changelog.settled_ties_sql(plan, true) | indent(4) if has_state }}
),

new_and_old as (
  select
    _sequence,
    _dbtc_old,
    if({{ dbt_changelog.is_live_sql() }}, struct({{ dbt_changelog.csv(names) }}), null) as _dbtc_new
  from merged_rows
),

{{ dbt_changelog.differences_ctes(plan, batch, 'new_and_old') }}
{%- endmacro %}

{#- The changelog that a full refresh emits: how the new contents differ from the old. -#}
{% macro refreshed_rows_ctes(plan, batch) -%}
{%- set key, live = dbt_changelog.csv(plan.unique_key), dbt_changelog.is_live_sql() -%}
{%- set names = dbt_changelog.csv(plan.payload + plan.passthrough) -%}
{{ dbt_changelog.settled_rows_ctes(plan, batch) }},

new_rows as (
  select {{ key }}, _sequence as _dbtc_sequence, struct({{ names }}) as _dbtc_new
  from state_rows
  where {{ live }}
),

live_rows as (
  select
    {{ dbt_changelog.old_columns_sql(plan, batch) | indent(4) }}
  from {{ plan.relations.state }}
  where {{ live }}
),

old_rows as (
  select {{ key }}, _sequence as _dbtc_old_sequence, struct({{ names }}) as _dbtc_old
  from live_rows
),

new_and_old as (
  select
    coalesce(_dbtc_sequence, _dbtc_old_sequence) as _sequence,
    _dbtc_old,
    _dbtc_new
  from old_rows
  full outer join new_rows using ({{ key }})
),

{{ dbt_changelog.differences_ctes(plan, batch, 'new_and_old') }}
{%- endmacro %}

{#- Rows with what they were (_dbtc_old) and are (_dbtc_new) -> `emitted`, as CTEs. -#}
{% macro differences_ctes(plan, batch, input) -%}
{%- set pair = "array('UPDATE_BEFORE', 'UPDATE_AFTER')"
    if 'UPDATE_BEFORE' in dbt_changelog.mapped_kinds(plan.op_mapping)
    else "array('UPDATE_AFTER')" -%}
{%- set same, live = [], dbt_changelog.is_live_sql() -%}
{%- for column in plan.compared -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- do same.append(dbt_changelog.comparable_sql('_dbtc_old.' ~ name, column) ~ ' <=> '
    ~ dbt_changelog.comparable_sql('_dbtc_new.' ~ name, column)) -%}
{%- endfor -%}
differences as (
  select
    *,
    explode(case
      when _dbtc_old is null and _dbtc_new is null then null
      when _dbtc_old is null then array('INSERT')
      when _dbtc_new is null then array('DELETE')
      when not (
        {{ same | join('\n        and ') or 'true' }}
      ) then {{ pair }}
    end) as _row_kind
  from {{ input }}
),

emitted as (
  select
    _row_kind,
    _sequence,
    {{ dbt_changelog.ordinal_sql() }} as _ordinal,
{%- for name in plan.payload + plan.passthrough %}
{%- set column = dbt_changelog.quote(name) %}
    if({{ live }}, _dbtc_new.{{ column }}, _dbtc_old.{{ column }}) as {{ column }},
{%- endfor %}
    cast({{ batch.id }} as bigint) as _batch_id
  from differences
)
{%- endmacro %}
