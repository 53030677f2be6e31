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

{{ dbt_changelog.differences_ctes(plan, batch, 'new_and_old',
                                 dbt_changelog.same_values_sql(plan)) }}
{%- endmacro %}
