{#-
  Where a stream goes on: {plan, runs_in, found, checkpoint, ..}; runs_in: the process that runs it
  already, which this one leaves alone.

  The position of a batch that a stream made is the micro-batch that it was, and the checkpoint that
  counted it: {column: 'micro_batch', value, checkpoint}. So the state says which micro-batches it
  has, whatever the checkpoint says; and both are of one stream, or the error says which is not.
-#}
{% macro next_stream(plan) -%}
{%- set there = adapter.changelog_streams(plan.stream.checkpoint) -%}
{%- do dbt_changelog._check_checkpoint_is_ours(plan, there) -%}
{%- do return({'plan': plan, 'runs_in': there.running}) if there.running -%}
{%- set found = dbt_changelog.recovered_tables(plan) -%}
{%- set refreshes = dbt_changelog.is_full_refresh() -%}
{%- set last = dbt_changelog.stream_position(found) -%}
{%- if not refreshes -%}
{%- do dbt_changelog._check_goes_on(plan, found, there, last) -%}
{%- endif -%}
{#- one that has no batch yet has nothing to lose, and may have a range that is not read again -#}
{%- set begun = there.checkpoints.items() | selectattr('1.committed', 'lt', 0)
    | selectattr('1.planned', 'ge', 0) | map('first') | list if not (last or refreshes) else [] -%}
{{ return({
  'plan': plan,
  'runs_in': none,
  'found': found,
  'checkpoint': last.checkpoint if last and not refreshes
    else begun[0] if begun else local_md5(invocation_id ~ plan.uid)[:8],
  'refreshes': refreshes and found.log is not none,
  'has_view': false,
  'batches': 0,
  'batch': none,
  'counters': {},
  'rows': [],
}) }}
{%- endmacro %}

{#- The last micro-batch that a model has, {value, checkpoint}; none of one that had no stream. -#}
{% macro stream_position(found) -%}
{{ return(found.log.batch.position.get('stream') if found.log else none) }}
{%- endmacro %}

{% macro _check_checkpoint_is_ours(plan, there) -%}
{%- set refuse, folder = dbt_changelog.raise_invalid, plan.stream.checkpoint -%}
{%- if there.uid is not none and there.uid != plan.uid -%}
{%- do refuse(plan.where, 'checkpoint_location', folder ~ " has the checkpoint of uid '"
    ~ there.uid ~ "', and this model has uid '" ~ plan.uid ~ "'",
    'give each model a folder of its own') -%}
{%- elif there.table is not none and there.table != plan.stream.table -%}
{%- do refuse(plan.where, 'checkpoint_location', folder ~ ' has the checkpoint of ' ~ there.table
    ~ ', and this model is ' ~ plan.stream.table,
    'give the model a folder of its own in each target, for example by target.name; if the model'
    ~ ' has another name now, remove the file dbt_changelog.json in the folder') -%}
{%- endif -%}
{%- endmacro %}

{#- State and checkpoint are of one stream, and neither has been put back without the other. -#}
{% macro _check_goes_on(plan, found, there, last) -%}
{%- set refuse, log = dbt_changelog.raise_invalid, plan.relations.batch_log -%}
{%- set anew = 'or run with --full-refresh, which begins a new one and reads all that the source'
    ~ ' still has' -%}
{%- set seen = there.checkpoints.get(last.checkpoint) if last else none -%}
{%- if last is none and found.log and found.log.batch.id > 0
    and dbt_changelog.reads_once(plan) -%}
{%- do refuse(plan.where, 'materialized', log ~ ' has batches that no stream made, and nothing'
    ~ ' tells which of their events the stream would read a second time',
    'run with --full-refresh') -%}
{%- elif found.log is none and there.checkpoints.values() | selectattr('committed', 'ge', 0) | list
-%}
{%- do refuse(plan.where, 'state', 'the table ' ~ log ~ ' is gone, and the checkpoint in '
    ~ plan.stream.checkpoint ~ ' says what it has read of the source',
    'restore the table, ' ~ anew) -%}
{%- elif last and (seen is none or seen.planned < last.value | int) -%}
{%- do refuse(plan.where, 'checkpoint_location', 'the checkpoint ' ~ last.checkpoint ~ ', by which '
    ~ log ~ ' has micro-batch ' ~ last.value ~ ', is not in ' ~ plan.stream.checkpoint
    ~ ', or is an older one', 'restore it, or set checkpoint_location to where it is; '
    ~ anew) -%}
{%- elif last and seen.committed > seen.passed.get(last.value, last.value | int) -%}
{%- do refuse(plan.where, 'state', log ~ ' has micro-batch ' ~ last.value ~ ', and its checkpoint '
    ~ seen.committed ~ ': the table was restored to an earlier version',
    'restore the checkpoint of that time too; ' ~ anew) -%}
{%- endif -%}
{%- endmacro %}
