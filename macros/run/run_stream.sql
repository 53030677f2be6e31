{#-
  Runs the micro-batches that there are, each as one batch of the same program. What cannot change
  between them is asked once. A refresh is one micro-batch of all that the source has, since the
  contents are new in one step; what comes then goes on from it.
-#}
{% macro run_stream(stream) -%}
{%- set plan = stream.plan -%}
{%- if stream.runs_in -%}
{{ return(stream) }}
{%- elif dbt_changelog.reads_nothing() -%}
{{ return(dbt_changelog._run_without_batch(stream)) }}
{%- endif -%}
{%- set settings = {
  'name': dbt_changelog.model_name(model),
  'query': plan.stream.query,
  'location': plan.stream.checkpoint,
  'checkpoint': stream.checkpoint,
  'mark': {'uid': plan.uid, 'table': plan.stream.table},
  'where': plan.where,
} -%}
{%- set run, note = dbt_changelog.run_micro_batch, dbt_changelog.note_batches -%}
{%- set begun = adapter.changelog_stream(dict(settings, trigger='once'), run, note, stream)
    if stream.refreshes else stream -%}
{%- set begun = dbt_changelog._refreshed_without_rows(begun) if begun.refreshes else begun -%}
{%- set ended = adapter.changelog_stream(
    dict(settings, trigger=plan.stream.trigger), run, note, begun) -%}
{%- set flushed = dbt_changelog._flushed(ended) -%}
{{ return(flushed if flushed.batch else dbt_changelog._run_without_batch(flushed)) }}
{%- endmacro %}

{#- A stream whose input is told to end here: what waits is a batch of its own. -#}
{% macro _flushed(stream) -%}
{%- set plan, log = stream.plan, stream.found.log -%}
{%- if not dbt_changelog.flushes() or not log or not (log.batch.get('watermark') or {}).buffer -%}
{{ return(stream) }}
{%- endif -%}
{{ return(dbt_changelog._batch_without_rows(stream, log.batch.position, false)) }}
{%- endmacro %}

{#-
  One micro-batch, {id, view}: its program, and the stream after it. One that the state has already
  is nothing: Spark replays the last one when its checkpoint was not told that it ended. One without
  rows is no batch either: passed, beside the checkpoint, since the state has nothing of it.
-#}
{% macro run_micro_batch(stream, micro) -%}
{%- set plan, found = stream.plan, stream.found -%}
{%- set last = dbt_changelog.stream_position(found) -%}
{%- set goes_on = last and last.checkpoint == stream.checkpoint and not stream.refreshes -%}
{%- if goes_on and micro.id <= last.value | int -%}
{{ return(stream) }}
{%- elif goes_on and micro.is_empty -%}
{{ return(dict(stream, passed=micro.id, last=last.value)) }}
{%- endif -%}
{%- set batch = dbt_changelog.micro_batch(stream, micro) -%}
{%- set outcome = dbt_changelog.run_program(dbt_changelog.program_of(plan, batch)) -%}
{%- set row = dbt_changelog.with_counters(dbt_changelog.batches_row_sql(
    plan, dict(batch, committed_at=dbt_changelog.utc_now())), outcome.counters) -%}
{%- set is_known = stream.has_view and not batch.creates
    and dbt_changelog.format_of(plan.storage.file_format).merges -%}
{{ return(dict(stream,
  found=dbt_changelog._found_after(plan, found, batch)
    if is_known else dbt_changelog.find_tables(plan),
  has_view=true,
  refreshes=false,
  batches=stream.batches + 1,
  batch=batch,
  counters=dbt_changelog._added(stream.counters, outcome.counters),
  last_counters=outcome.counters,
  rows=stream.rows + ([row] if batch.batches else []),
)) }}
{%- endmacro %}

{#- What is there of a model after a micro-batch: what was before, and what a watermark needs. -#}
{% macro _found_after(plan, found, batch) -%}
{%- set dropped = batch.old_buffers | map(attribute='identifier') | map('lower') | list -%}
{%- set made = [batch.arrivals.buffer.identifier | lower] if batch.arrivals else [] -%}
{%- set late = [plan.relations.late.identifier | lower]
    if batch.arrivals and batch.arrivals.mark and plan.watermark.keeps_late else [] -%}
{{ return(dict(found,
  names=found.names | reject('in', dropped + late) | list + made + late,
  log=dict(found.log, batch=dict(
    {'id': batch.id, 'position': batch.position}, watermark=batch.watermark),
    compacted=found.log.batch.id if batch.compacts else found.log.compacted),
)) }}
{%- endmacro %}

{#- Writes the rows of the micro-batches since the last time into the table of batches. -#}
{% macro note_batches(stream) -%}
{%- set outcome = dbt_changelog.attempt(
    dbt_changelog.insert_batches_sql(stream.batch.batches, stream.rows)) if stream.rows else {} -%}
{%- do exceptions.warn('Batch ' ~ stream.batch.id ~ ' of ' ~ stream.plan.where ~ ' has no row in '
    ~ stream.batch.batches ~ ': ' ~ outcome.error ~ '. The batch is committed.')
    if outcome.error -%}
{{ return(dict(stream, rows=[])) }}
{%- endmacro %}

{#- A micro-batch as a batch. -#}
{% macro micro_batch(stream, micro) -%}
{%- set plan, found = stream.plan, stream.found -%}
{%- set batch = dbt_changelog.new_batch(plan, found, stream.refreshes,
    dbt_changelog._micro_position(stream, micro.id),
    dbt_changelog.micro_batch_sql(plan, micro.view, micro.id)) -%}
{{ return(dict(batch, has_view=stream.has_view and not batch.compacts, is_micro=true)) }}
{%- endmacro %}

{#- A full refresh of a source that has nothing any more: no micro-batch comes. -#}
{% macro _refreshed_without_rows(stream) -%}
{{ return(dbt_changelog._batch_without_rows(
    stream, dbt_changelog._micro_position(stream, -1), true)) }}
{%- endmacro %}

{#- A batch beside those of the stream, in which no event arrives. -#}
{% macro _batch_without_rows(stream, position, refreshes) -%}
{%- set plan = stream.plan -%}
{%- set batch = dbt_changelog.new_batch(plan, stream.found, refreshes, position, plan.query) -%}
{%- set outcome = dbt_changelog.run_program(dbt_changelog.program_of(plan, batch)) -%}
{{ return(dict(stream, found=dbt_changelog.find_tables(plan), has_view=true, refreshes=false,
               batches=stream.batches + 1, batch=batch,
               counters=dbt_changelog._added(stream.counters, outcome.counters))) }}
{%- endmacro %}

{#- What several batches did, in order. -#}
{% macro _added(counters, others) -%}
{%- set sums = dict(counters) -%}
{%- for name, count in others.items() -%}
{%- do sums.update({name: count if name in dbt_changelog.level_names()
    else sums.get(name, 0) + count}) -%}
{%- endfor -%}
{{ return(sums) }}
{%- endmacro %}

{% macro _micro_position(stream, id) -%}
{{ return({'stream': {'column': 'micro_batch', 'type': 'bigint', 'value': id | string,
                      'checkpoint': stream.checkpoint}}) }}
{%- endmacro %}

{#- The micro-batch that may come next, for show_plan. -#}
{% macro sample_micro_batch(plan) -%}
{%- set found = dbt_changelog.recovered_tables(plan) -%}
{%- set last = dbt_changelog.stream_position(found) or {'value': '-1', 'checkpoint': 'new'} -%}
{{ return(dbt_changelog.micro_batch(
    {'plan': plan, 'found': found, 'refreshes': false, 'has_view': false,
     'checkpoint': last.checkpoint},
    {'id': last.value | int + 1, 'view': 'global_temp.micro_batch'})) }}
{%- endmacro %}

{#- No micro-batch came: the model is there all the same. -#}
{% macro _run_without_batch(stream) -%}
{%- set plan = stream.plan -%}
{%- set batch = dbt_changelog.empty_batch(plan, stream.found) -%}
{%- set batch = dict(batch, scenario='empty' if stream.found.log is none
    or dbt_changelog.reads_nothing() else 'nothing_new') -%}
{%- do dbt_changelog.run_program(dbt_changelog.program_of(plan, batch)) -%}
{{ return(dict(stream, batch=batch)) }}
{%- endmacro %}

{#- What dbt prints of a stream, and what every run ends with. -#}
{% macro finish_stream(stream) -%}
{%- if stream.runs_in -%}
{%- do store_raw_result('main', message='runs in ' ~ stream.runs_in ~ ', nothing done', code='OK',
                        rows_affected=0) -%}
{{ return({'relations': [stream.plan.relations.contents or stream.plan.relations.batch_log]}) }}
{%- endif -%}
{{ return(dbt_changelog.finish_run(stream.plan, stream.batch,
    {'counters': stream.counters, 'ended': stream.batches == 0})) }}
{%- endmacro %}
