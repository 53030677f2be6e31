{#-
  The batch that this run applies, after one that an earlier run began and left is finished.

  Its scenario is one word, decided here: what a program does with it is a table (from_changelog_
  program, to_changelog_program). The position is what the query says it read; ids go on over full
  refreshes. If each row may be read only once, and either the batch log or the query has no
  position, the table is built anew. With nothing new to read there is no batch.
-#}
{% macro next_batch(plan) -%}
{%- set found = dbt_changelog.recovered_tables(plan) -%}
{%- set last = dbt_changelog.last_batch(found.log) -%}
{%- set is_empty, asked = dbt_changelog.reads_nothing(), dbt_changelog.is_full_refresh() -%}
{%- do dbt_changelog.check_ranges(plan, last, asked) -%}
{%- set ranges = dbt_changelog.read_ranges(plan.query) -%}
{%- set can_refresh = plan.function == 'from_changelog' or plan.reader is not none -%}
{%- set refreshes = asked or (dbt_changelog.reads_once(plan) and not is_empty
    and not (ranges and last.position) and can_refresh) -%}
{%- set batch = dbt_changelog.empty_batch(plan, found) if is_empty
    else dbt_changelog.new_batch(plan, found, refreshes, ranges, plan.query) -%}
{%- set batch = dict(batch, scenario='nothing_new', writes=false, is_staged=false)
    if dbt_changelog._is_idle(plan, batch) else batch -%}
{{ return(batch) }}
{%- endmacro %}

{#-
  A batch that goes on from the last one, or begins anew. ends: where it has read up to; adopts: its
  rows are those of a table that has the model's name.
-#}
{% macro new_batch(plan, found, refreshes, ends, events, adopts=false) -%}
{%- set last = dbt_changelog.last_batch(found.log) -%}
{%- set id = dbt_changelog._next_id(plan, last, found) -%}
{%- set batch = dbt_changelog.described_batch(plan, found, {
  'id': id,
  'scenario': 'first' if found.log is none or last.id == 0 else 'refresh' if refreshes else 'next',
  'position': dict({} if refreshes else last.position, **ends),
  'stamps': dbt_changelog.read_stamps(plan, model) if ends and model
    and plan.function == 'from_changelog' else {},
  'last': last,
  'creates': dbt_changelog._creates(plan, found, refreshes),
  'refreshes': refreshes and found.log is not none,
  'state': dbt_changelog.written_state(plan, id, found),
  'rename_to': dbt_changelog.name_aside(plan, adopts),
  'events': events,
}) -%}
{%- do dbt_changelog._check_staging_is_lost(plan, batch) -%}
{%- set alters = plan.function == 'from_changelog' and batch.writes and not batch.creates
    and dbt_changelog.evolve_plan(plan, batch).steps != [] -%}
{%- set batch = dict(batch, compacts=dbt_changelog._compacts(plan, batch, alters),
    has_rows=alters and dbt_changelog.has_batch(plan.relations.state, id)) -%}
{{ return(dict(batch, **dbt_changelog.next_watermark(plan, found, batch))
          if plan.get('watermark') and not adopts else batch) }}
{%- endmacro %}

{#-
  Whether the state is compacted before a batch (compact_sql): if what was appended is more than a
  share of the keys, if its columns change again, or if a full refresh has to tell how the contents
  differ. A batch that ends where the last one did may turn out to be none.
-#}
{% macro _compacts(plan, batch, alters) -%}
{%- set log = batch.stored.log -%}
{%- if log is none or not dbt_changelog.kernel_of(log.plan.kernel).appends -%}
{{ return(false) }}
{%- elif alters and log.compacted < log.batch.id -%}
{{ return(true) }}
{%- elif batch.creates or batch.position == batch.last.position -%}
{{ return(batch.creates and batch.has_changelog and plan.changelog) }}
{%- endif -%}
{%- set rows = run_query(dbt_changelog.count_appended_sql(plan, log.compacted)).rows[0].dict() -%}
{%- set appended, all = rows.appended | float, rows.state_rows | float -%}
{{ return(appended > plan.compact_above * (all - appended)) }}
{%- endmacro %}

{#- No batch: what is needed is made, without any row. -#}
{% macro empty_batch(plan, found) -%}
{%- set last = dbt_changelog.last_batch(found.log) -%}
{{ return(dbt_changelog.described_batch(plan, found, {
  'id': last.id,
  'scenario': 'empty',
  'position': last.position,
  'watermark': last.get('watermark'),
  'last': last,
  'creates': dbt_changelog._creates(plan, found, false),
  'refreshes': false,
  'state': dbt_changelog.written_state(plan, last.id, found),
  'rename_to': dbt_changelog.name_aside(plan, false),
})) }}
{%- endmacro %}

{% macro _creates(plan, found, refreshes) -%}
{{ return(found.log is none
          or (refreshes if plan.function == 'from_changelog' else found.log.batch.id == 0)) }}
{%- endmacro %}

{#-
  A batch with what its program has to know. writes: whether it is one; stored: what evolve_plan
  takes; state: the table that has the state after it; appended, merged: what an earlier run has
  done of it; has_rows: if columns change, whether the state has rows of it; events: the query;
  reader: the plan by which they are read, if not this one; arrived: the condition for an event to
  have come since the last one.
-#}
{% macro described_batch(plan, found, batch) -%}
{%- set writes = batch.scenario in ['first', 'next', 'refresh', 'resume'] -%}
{%- set batches = dbt_changelog.batches_relation(plan.relations.state) -%}
{%- set event_table = plan.function == 'to_changelog' -%}
{%- set has_changelog = found.exists if event_table else found.changelog is not none -%}
{{ return(dict({
  'writes': writes,
  'is_staged': plan.stages and writes and (plan.changelog or not batch.creates),
  'replaces': found.log is not none,
  'events': plan.query,
  'reader': none,
  'arrived': dbt_changelog._arrived_sql(plan, batch.last),
  'has_state': found.state is not none,
  'has_changelog': has_changelog,
  'stored': found,
  'stored_columns': (found.state or []) | map(attribute='name') | list,
  'appended': has_changelog and plan.stages and writes
    and dbt_changelog.has_batch(plan.relations.changelog, batch.id),
  'merged': false,
  'has_rows': false,
  'state': plan.relations.state,
  'old_states': dbt_changelog.old_states(plan, found.names, [
    batch.get('state', plan.relations.state), plan.relations.state]),
  'watermark': none,
  'arrivals': none,
  'old_buffers': [],
  'rename_to': none,
  'has_view': false,
  'moment': dbt_changelog.next_moment(plan, found, batch),
  'is_micro': false,
  'compacts': false,
  'committed_at': none,
  'batches': batches if load_relation(batches) is not none else none,
  'run': invocation_id,
  'started_at': dbt_changelog.utc_now(),
}, **batch)) }}
{%- endmacro %}

{#- The time of this process, as text. -#}
{% macro utc_now() -%}
{{ return(modules.datetime.datetime.now(modules.pytz.utc).isoformat()) }}
{%- endmacro %}

{#- Whether the user asked for all to be built anew. -#}
{% macro is_full_refresh() -%}
{{ return(should_full_refresh() and not dbt_changelog.reads_nothing()) }}
{%- endmacro %}

{#- Whether reading a row twice would count it twice. -#}
{% macro reads_once(plan) -%}
{{ return(dbt_changelog.kernel_of(plan.kernel).counts_events if plan.function == 'from_changelog'
          else plan.input == 'changes') }}
{%- endmacro %}

{#-
  Whether a batch that ends where the last one did leaves all as it is: nothing is read again, or
  the sources have not changed, or one query of what is read again says so, which costs less than
  statements that write. If invalid events are counted, the whole program runs. What an operation
  shows is the program of a batch.
-#}
{% macro _is_idle(plan, batch) -%}
{%- if batch.scenario != 'next' or batch.position != batch.last.position
    or flags.WHICH == 'run-operation' -%}
{{ return(false) }}
{%- elif batch.arrivals and batch.arrivals.waiting and not batch.watermark.buffer -%}
{#- a flush applies what waits -#}
{{ return(false) }}
{%- elif dbt_changelog.reads_once(plan) -%}
{{ return(true) }}
{%- elif not batch.position or plan.counters == 'full' or plan.invalid_op_handling == 'LOG' -%}
{{ return(false) }}
{%- endif -%}
{%- set evolved = dbt_changelog.evolve_plan(plan, batch) -%}
{%- set newer = dbt_changelog.kernel_of(plan.kernel).newer -%}
{%- set rests = batch.stamps and batch.stamps == batch.last.get('stamps') -%}
{{ return(not evolved.steps and (rests or run_query(
    newer(evolved.plan, dict(dbt_changelog.due_arrivals(evolved.plan, batch), is_staged=false,
                             arrived=none))).rows[0][0] == 0)) }}
{%- endmacro %}

{#-
  The condition for an event of a batch to have come since the last one, of the query's columns;
  none where nothing tells, and NULL for an event of which nothing tells. What is read again is no
  event that came late or twice.
-#}
{% macro _arrived_sql(plan, last) -%}
{%- if plan.function == 'to_changelog' -%}
{{ return(none) }}
{%- elif plan.read.strict or last.id == 0 -%}
{{ return('true') }}
{%- endif -%}
{%- set start = dbt_changelog.read_start(plan) -%}
{{ return(start.column ~ ' > ' ~ dbt_changelog.position_sql(start.position) if start else none) }}
{%- endmacro %}

{#-
  Where the query of a model begins to read, {column, position}: the column of its rows, as SQL, and
  the last position, from which the lookback is not taken; none where nothing tells.
-#}
{% macro read_start(plan) -%}
{%- set starts = [] -%}
{%- for range in dbt_changelog.find_ranges(plan.query) -%}
{%- do starts.append(range.from) if range.from not in starts -%}
{%- endfor -%}
{%- if starts | length == 1 and starts[0] is not none -%}
{%- for column in plan.columns.input if column.type == starts[0].type
    and column.name | lower == starts[0].column | lower -%}
{{ return({'column': dbt_changelog.quote(column.name), 'position': starts[0]}) }}
{%- endfor -%}
{%- endif -%}
{{ return(none) }}
{%- endmacro %}

{#-
  The id of the next batch: above the last one, or, in a model that has none, above those that its
  uid had before its state was dropped, as far as what is left tells. Consumers know a batch by it.
-#}
{% macro _next_id(plan, last, found) -%}
{%- set ids = [last.id] -%}
{%- if last.id == 0 -%}
{#- a first batch that was only staged is begun again under its id -#}
{%- do ids.append(found.staged.batch.id - (found.staged.creates | int))
    if found.staged and found.staged.uid == plan.uid -%}
{%- do ids.append(dbt_changelog._greatest(plan.relations.changelog, '_batch_id'))
    if found.changelog -%}
{%- set batches = dbt_changelog.batches_relation(plan.relations.state) -%}
{%- do ids.append(dbt_changelog._greatest(batches, 'batch_id', plan.uid))
    if load_relation(batches) is not none -%}
{%- endif -%}
{{ return(ids | max + 1) }}
{%- endmacro %}

{% macro _greatest(table, column, uid=none) -%}
{%- set types = {} -%}
{%- for found in dbt_changelog.describe_query('select * from ' ~ table) -%}
{%- do types.update({found.name: found.type}) -%}
{%- endfor -%}
{%- if types.get(column) != 'bigint' or (uid and types.get('uid') != 'string') -%}
{{ return(0) }}
{%- endif -%}
{%- set found = run_query('select max(' ~ column ~ ') from ' ~ table
    ~ (' where uid = ' ~ dbt_changelog.literal(uid) if uid else '')).rows[0][0] -%}
{{ return(found | int if found is not none else 0) }}
{%- endmacro %}

{#- A changelog that has the batch to come was left by a run whose staging table is gone. -#}
{% macro _check_staging_is_lost(plan, batch) -%}
{%- if batch.appended and flags.WHICH != 'run-operation' -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'the table ' ~ plan.relations.changelog
    ~ ' has batch ' ~ batch.id ~ ', which the state has not, and ' ~ plan.relations.staged
    ~ ', from which it would be finished, is gone',
    'restore that table; or delete from the changelog where _batch_id = ' ~ batch.id
    ~ ', let the consumers that have read it begin again, and run again') -%}
{%- endif -%}
{%- endmacro %}
