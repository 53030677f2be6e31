{#-
  Rows with what they were (_dbtc_old) and are (_dbtc_new) -> the changelog of a batch, as CTEs: ->
  `emitted`, a step or none per key. same: SQL, whether two rows are equal.
-#}
{% macro differences_ctes(plan, batch, input, same) -%}
{%- set live = dbt_changelog.is_live_sql() -%}
{%- set pair = "array('UPDATE_BEFORE', 'UPDATE_AFTER')"
    if 'UPDATE_BEFORE' in dbt_changelog.mapped_kinds(plan.op_mapping)
    else "array('UPDATE_AFTER')" -%}
differences as (
  select
    *,
    explode(case
      when _dbtc_old is null and _dbtc_new is null then null
      when _dbtc_old is null then array('INSERT')
      when _dbtc_new is null then array('DELETE')
      when not {{ same | indent(6) }} then {{ pair }}
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

{#- Whether they are equal by their values. -#}
{% macro same_values_sql(plan) -%}
{%- set same = dbt_changelog.equal_columns(plan.compared, '_dbtc_old.', '_dbtc_new.') -%}
{{ return('(\n  ' ~ (same | join('\n  and ') or 'true') ~ '\n)') }}
{%- endmacro %}
