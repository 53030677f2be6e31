{#-
  What a batch emits -> the net change of each key, as CTEs: `emitted` -> `compacted`: what was the
  case before its first change, and after its last. Nothing, where that is the same.
-#}
{% macro compacted_ctes(plan) -%}
{%- set names, first, last = plan.payload + plan.passthrough, '_dbtc_first', '_dbtc_last' -%}
{%- set place, live = 'struct(_sequence, _ordinal)', dbt_changelog.is_live_sql() -%}
{%- set same = [] -%}
{%- for column in plan.compared -%}
{%- set name, comparable = dbt_changelog.quote(column.name), dbt_changelog.comparable_sql -%}
{%- do same.append(comparable('_dbtc_first.' ~ name, column) ~ ' <=> '
    ~ comparable('_dbtc_last.' ~ name, column)) -%}
{%- endfor -%}
{%- set pair = "array('UPDATE_BEFORE', 'UPDATE_AFTER')"
    if 'UPDATE_BEFORE' in dbt_changelog.mapped_kinds(plan.op_mapping)
    else "array('UPDATE_AFTER')" -%}
first_and_last as (
  select
    min_by(struct(*), {{ place }}) as _dbtc_first,
    max_by(struct(*), {{ place }}) as _dbtc_last
  from emitted
  group by {{ dbt_changelog.csv(plan.unique_key) }}
),

net_kinds as (
  select
    *,
    explode(case
      when not {{ dbt_changelog.is_live_sql('_dbtc_last.') }} then
        if(_dbtc_first._row_kind = 'INSERT', null, array('DELETE'))
      when _dbtc_first._row_kind in ('INSERT', 'UPDATE_AFTER') then array(_dbtc_first._row_kind)
      when not (
        {{ same | join('\n        and ') or 'true' }}
      ) then {{ pair }}
    end) as _row_kind
  from first_and_last
),

compacted as (
  select
    _row_kind,
    _dbtc_last._sequence,
    {{ dbt_changelog.ordinal_sql() }} as _ordinal,
{%- for name in names %}
{%- set column = dbt_changelog.quote(name) %}
    if(
      {{ live }} or _dbtc_first._row_kind = 'UPDATE_AFTER', _dbtc_last.{{ column }},
      _dbtc_first.{{ column }}
    ) as {{ column }},
{%- endfor %}
    _dbtc_last._batch_id
  from net_kinds
)
{%- endmacro %}
