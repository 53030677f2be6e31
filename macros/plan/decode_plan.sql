{#-
  The arguments of from_changelog -> the part of the plan that decode needs.

  columns: {input, before, after}, each a list of {name, type}; none in a macro, which does not
  introspect: there the payload is "all that the image has".
-#}
{% macro decode_plan(where, given, columns=none) -%}
{%- set plan = dbt_changelog.decode_args(where, given) -%}
{%- do plan.update({
  'function': 'from_changelog',
  'upserts_only': false,
  'op_type': none,
  'compared': none,
  'absent': [],
  'lifted': [],
  'orderable': false,
  'since': 0,
  'arrived': none,
  'order_by': '_sequence',
  'where': where,
  'images': plan.before is not none or plan.after is not none,
  'one_image': plan.before is not none and plan.before == plan.after,
}) -%}
{%- do plan.update({
  'has_update_before': dbt_changelog.has_lone_update_before(plan),
  'state_backed': dbt_changelog.is_state_backed(plan),
}) -%}
{%- do dbt_changelog.check_decode_args(plan) -%}
{%- do plan.update(dbt_changelog.resolve_columns(plan, columns)) -%}
{%- do plan.update({'moves': dbt_changelog.has_moves(plan)}) -%}
{{ return(plan) }}
{%- endmacro %}
