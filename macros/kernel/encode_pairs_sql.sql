{#- Changes with the rows before and after -> change events with both images. -#}
{% macro encode_pairs_sql(plan, changes) -%}
select
  {{ dbt_changelog.event_head_sql(plan) | indent(2) }},
{%- if plan.before %}
  if(_old is null, null, {{ dbt_changelog.event_row_sql(plan, '_old_row') }}) as
    {{- ' ' ~ dbt_changelog.quote(plan.before) }},
{%- endif %}
{%- if plan.after %}
  if(_new is null, null, {{ dbt_changelog.event_row_sql(plan, '_new_row') }}) as
    {{- ' ' ~ dbt_changelog.quote(plan.after) }},
{%- endif %}
  {{ dbt_changelog.event_place_sql(
       plan, "if(_row_kind = 'UPDATE_AFTER', 1, 0)" if plan.unique_key else '_ordinal',
       'struct(_old_row, _new_row)') | indent(2) }}
from (
  select
    *,
    {{ '_old.row' if plan.produces_full_deletes
       else "if(_row_kind = 'DELETE', null, _old.row)" }} as _old_row,
    _new.row as _new_row
  from (
    {{ changes | indent(4) }}
  ) as changes
) as rows
where _row_kind in ({{ dbt_changelog.literals(
  dbt_changelog.mapped_kinds(plan.op_mapping) | sort) }})
{%- endmacro %}
