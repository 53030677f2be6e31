{#- The changelog that a full refresh emits: how the new contents differ from the old. -#}
{% macro refresh_changelog_sql(plan, batch) -%}
{%- set key, live = dbt_changelog.csv(plan.unique_key), dbt_changelog.live_kinds() -%}
{%- set pair = "array('UPDATE_BEFORE', 'UPDATE_AFTER')"
    if 'UPDATE_BEFORE' in dbt_changelog.mapped_kinds(plan.op_mapping)
    else "array('UPDATE_AFTER')" -%}
select
  _row_kind,
  coalesce(_new._sequence, _old._sequence) as _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
{%- for name in plan.payload + plan.passthrough %}
{%- set column = dbt_changelog.quote(name) %}
  if(_row_kind in ({{ dbt_changelog.literals(live) }}), _new.{{ column }}, _old.{{ column }})
    as {{ column }},
{%- endfor %}
  cast({{ batch.id }} as bigint) as _batch_id
from (
  select
    *,
    explode(case
      when _old is null then array('INSERT')
      when _new is null then array('DELETE')
      when _old._image_hash <> _new._image_hash then {{ pair }}
    end) as _row_kind
  from (
    select {{ key }}, struct(*) as _old
    from (
      {{ dbt_changelog.old_rows_sql(plan, batch) | indent(6) }}
    ) as stored_rows
  ) as old_rows
  full outer join (
    select {{ key }}, struct(*) as _new
    from (
{{ dbt_changelog.batch_rows_sql(plan, batch) }}
    ) as batch_rows
    where _row_kind in ({{ dbt_changelog.literals(live) }})
  ) as new_rows using ({{ key }})
) as differences
{%- endmacro %}
