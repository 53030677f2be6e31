{#-
  The arguments of to_changelog -> the part of the plan that encode needs.

  pairs: an update is one event with both images. That needs two image columns, and no code of its
  own for UPDATE_BEFORE.
-#}
{% macro encode_plan(where, given) -%}
{%- set plan = dbt_changelog.encode_args(where, given) -%}
{%- set images = plan.before is not none or plan.after is not none -%}
{%- set one_image = images and plan.before == plan.after -%}
{%- do plan.update({
  'function': 'to_changelog',
  'where': where,
  'batch_id': none,
  'nets': plan.unique_key | length > 0,
  'knows_rows': false,
  'images': images,
  'one_image': one_image,
  'pairs': images and not one_image and not dbt_changelog.has_lone_update_before(plan),
  'passthrough': plan.passthrough if images else [],
}) -%}
{%- do dbt_changelog.check_encode_args(plan) -%}
{{ return(plan) }}
{%- endmacro %}
