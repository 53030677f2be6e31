{#- Two tables with a key -> the changelog between them: one join on the key. -#}
{% macro diff_rows_sql(plan, before, after) -%}
{%- set key = dbt_changelog.csv(plan.unique_key) -%}
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
        when _old is null then array('INSERT')
        when _new is null then array('DELETE')
        when {{ dbt_changelog.rows_differ_sql('_old', '_new') }}
          then array('UPDATE_BEFORE', 'UPDATE_AFTER')
      end) as _row_kind
    from (
      {{ dbt_changelog.diff_side_sql(plan, before, '_old') | indent(6) }}
    ) as before_rows
    full outer join (
      {{ dbt_changelog.diff_side_sql(plan, after, '_new') | indent(6) }}
    ) as after_rows using ({{ key }})
  ) as differences
) as changed_rows
{%- endmacro %}
