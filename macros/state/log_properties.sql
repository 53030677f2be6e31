{#-
  The batch log after a batch: its id and position, and what decides the plan. planned: the batch
  that is under way, where no staging table says so.
-#}
{% macro log_properties(plan, batch, planned=none) -%}
{%- set mapping, is_log = {}, plan.function == 'to_changelog' -%}
{%- for entry in plan.op_mapping -%}
{%- set kinds = entry.kinds | join(', ') -%}
{%- do mapping.update({kinds: entry.code} if is_log else {entry.code: kinds}) -%}
{%- endfor -%}
{%- set own = {'input': plan.input, 'op': plan.op, 'passthrough': plan.passthrough} if is_log
    else {} -%}
{%- set under_way = {'planned': {
  'batch': {'id': planned.id, 'position': planned.position}, 'refresh': planned.refresh,
  'invocation_id': planned.invocation_id,
}} if planned else {} -%}
{{ return(dbt_changelog.to_chunks(dict({
  'batch': {'id': batch.id, 'position': batch.position},
  'since': plan.since,
  'absent': plan.absent | map(attribute='name') | list,
  'uncompared': plan.uncompared,
  'plan': dict({
    'version': plan.version, 'uid': plan.uid, 'function': plan.function, 'kernel': plan.kernel,
    'unique_key': plan.unique_key, 'sequence_by': plan.sequence_by, 'op_mapping': mapping,
    'before': plan.before, 'after': plan.after, 'changelog': plan.changelog,
  }, **own),
}, **under_way))) }}
{%- endmacro %}
