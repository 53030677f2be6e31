{#-
  Changes, a row a kind -> change events: flat, or with the image that belongs to the kind.

  Where changes are not netted, kinds that have no code were left out with the checks: a condition
  here would be pushed below them, and a scan would skip what is to be refused.
-#}
{% macro encode_rows_sql(plan, changes) -%}
{%- set live = '_row_kind in (' ~ dbt_changelog.literals(dbt_changelog.live_kinds()) ~ ')' -%}
{%- set row = dbt_changelog.event_row_sql(plan, '_row') -%}
select
  {{ dbt_changelog.event_head_sql(plan) | indent(2) }},
{%- if plan.one_image %}
  {{ row }} as {{ dbt_changelog.quote(plan.after) }},
{%- elif plan.images %}
  if({{ live }}, null, {{ row }}) as {{ dbt_changelog.quote(plan.before) }},
  if({{ live }}, {{ row }}, null) as {{ dbt_changelog.quote(plan.after) }},
{%- else %}
  {{ dbt_changelog.event_row_columns_sql(plan, '_row') }},
{%- endif %}
  {{ dbt_changelog.event_place_sql(plan, '_ordinal', '_row') | indent(2) }}
from (
  select
    *,
    {{ '_image.row' if plan.produces_full_deletes
       else "if(_row_kind = 'DELETE', null, _image.row)" }} as _row
  from (
    {{ changes | indent(4) }}
  ) as changes
) as rows
{%- if plan.nets %}
where _row_kind in ({{ dbt_changelog.literals(
  dbt_changelog.mapped_kinds(plan.op_mapping) | sort) }})
{%- endif -%}
{%- endmacro %}
