{#- Two tables with a key -> the changelog between them. -#}
{% macro diff_rows_sql(plan, before, after) -%}
{%- set live = dbt_changelog.literals(dbt_changelog.live_kinds()) -%}
select
  _row_kind,
  {{ plan.sequence }} as _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  _row.*
from (
  select
    _row_kind,
    if(_row_kind in ({{ live }}), _new.row, _old.row) as _row
  from (
    select
      _old,
      _new,
      explode(case
        when {{ dbt_changelog.diff_check_sql(plan) | indent(8) }} then null
        when _old.row is null then array('INSERT')
        when _new.row is null then array('DELETE')
        when not {{ dbt_changelog.rows_equal_sql(plan, '_old', '_new') }}
          then array('UPDATE_BEFORE', 'UPDATE_AFTER')
      end) as _row_kind
    from (
      {{ dbt_changelog.diff_pairs_sql(plan, before, after) | indent(6) }}
    ) as pairs
  ) as differences
) as changed_rows
{%- endmacro %}
