{#-
  The arguments of to_changelog -> the part of the plan that encode needs.

  pairs: an update is one event with both images. That needs two image columns, and no code of its
  own for UPDATE_BEFORE.

  nets: the changelog is normalised first, where its mapping would lose a move (a code for
  UPDATE_AFTER and none for UPDATE_BEFORE) or needs a row that a changelog of upserts has not.
-#}
{% macro encode_plan(where, given) -%}
{%- set plan = dbt_changelog.encode_args(where, given) -%}
{%- set images = plan.before is not none or plan.after is not none -%}
{%- set one_image = images and plan.before == plan.after -%}
{%- set kinds = dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- set pairs = images and not one_image and not dbt_changelog.has_lone_update_before(plan) -%}
{%- do plan.update({
  'function': 'to_changelog',
  'where': where,
  'batch_id': none,
  'nets': plan.unique_key | length > 0 and (
    pairs or 'UPDATE_BEFORE' not in kinds or ('DELETE' in kinds and plan.produces_full_deletes)
    or plan.state_ttl is not none or plan.tie_handling == 'LAST'),
  'knows_rows': false,
  'images': images,
  'one_image': one_image,
  'pairs': pairs,
  'passthrough': plan.passthrough if images else [],
}) -%}
{%- do dbt_changelog.check_encode_args(plan) -%}
{{ return(plan) }}
{%- endmacro %}
