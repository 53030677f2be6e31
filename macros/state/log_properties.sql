{#- The batch log after a batch: its id and position, and what decides the plan. -#}
{% macro log_properties(plan, batch) -%}
{%- set mapping = {} -%}
{%- for entry in plan.op_mapping -%}
{%- do mapping.update({entry.code: entry.kinds | join(', ')}) -%}
{%- endfor -%}
{{ return(dbt_changelog.to_chunks({
  'batch': {'id': batch.id, 'position': batch.position},
  'since': plan.since,
  'absent': plan.absent | map(attribute='name') | list,
  'plan': {
    'version': plan.version, 'uid': plan.uid, 'function': plan.function, 'kernel': plan.kernel,
    'unique_key': plan.unique_key, 'sequence_by': plan.sequence_by, 'op_mapping': mapping,
    'before': plan.before, 'after': plan.after, 'changelog': plan.changelog,
  },
})) }}
{%- endmacro %}
