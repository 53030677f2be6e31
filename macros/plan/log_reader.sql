{#-
  The plan that reads the events of a to_changelog model as a changelog again, for its full refresh;
  none, if they do not say all.
-#}
{% macro log_reader(plan) -%}
{%- set mapping = dbt_changelog.inverse_mapping(plan) -%}
{%- set in_images = plan.unique_key | reject('in', plan.passthrough) | list -%}
{%- if mapping is none or (plan.images and plan.before is none and plan.encoding != 'append')
    or in_images != plan.unique_key -%}
{{ return(none) }}
{%- endif -%}
{{ return(dict(dbt_changelog.decode_plan(plan.where, {
  'op': plan.op, 'op_mapping': mapping, 'before': plan.before, 'after': plan.after,
  'unique_key': plan.unique_key or none, 'sequence_by': ['_batch_id', '_position'],
}), upserts_only=plan.unique_key != [], passthrough=plan.passthrough)) }}
{%- endmacro %}
