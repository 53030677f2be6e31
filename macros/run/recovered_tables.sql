{#-
  What is there of a model (find_tables), once it is ours, can be gone on with, and has no batch
  that an earlier run began and left: such a batch is finished first, from what it staged or
  appended.
-#}
{% macro recovered_tables(plan) -%}
{%- set found = dbt_changelog.find_tables(plan) -%}
{%- set asked = dbt_changelog.is_full_refresh() -%}
{%- set anew = asked and plan.function == 'from_changelog' -%}
{%- do dbt_changelog.check_is_ours(plan, found) -%}
{%- do dbt_changelog._check_others_are_ours(plan, found) -%}
{%- do dbt_changelog.check_version(plan, found.log) if found.log and not anew -%}
{%- do dbt_changelog._check_is_put_back(plan, found)
    if found.log and (plan.changelog or not anew) -%}
{#- without its table a model can only have begun to make it -#}
{%- set begun = dbt_changelog.begun_batch(plan, found.log, found.staged)
    if (found.exists or plan.function == 'from_changelog' and found.staged and found.staged.creates)
    and not (dbt_changelog.reads_nothing() or flags.WHICH == 'run-operation') else none -%}
{%- do dbt_changelog._check_is_lost(plan, found, asked) if not found.exists and not begun -%}
{%- do dbt_changelog.check_stored_plan(plan, found, asked, begun)
    if found.exists and ((begun and begun.is_staged) or not anew) -%}
{%- if begun is none -%}
{{ return(found) }}
{%- endif -%}
{%- do dbt_changelog._check_follows(plan, found.log.batch.id if found.log else 0, begun) -%}
{%- do dbt_changelog._finish_batch(plan, found, begun) -%}
{{ return(dbt_changelog.find_tables(plan)) }}
{%- endmacro %}

{#-
  Finishes a batch with the columns as they were then. Where each event counts, a batch whose rows
  are in the state is not merged again. A table that still has the model's name is what the batch
  took over (next_adoption).
-#}
{% macro _finish_batch(plan, found, begun) -%}
{%- set plan = dict(plan, **dbt_changelog.restricted(plan, dbt_changelog.describe_query(
    'select * from ' ~ plan.relations.staged))) if begun.is_staged else plan -%}
{%- set last = dbt_changelog.last_batch(found.log) -%}
{%- set counts = dbt_changelog.kernel_of(plan.kernel).counts_events -%}
{%- set adopts = begun.creates and plan.get('adopt', false) -%}
{%- set rename_to = dbt_changelog.name_aside(plan, adopts) -%}
{%- set plan = dict(plan, since=begun.batch.id + 1, adopted=begun.batch.id)
    if adopts and rename_to else plan -%}
{%- set outcome = dbt_changelog.run_before(plan, dbt_changelog.described_batch(
  plan, found, {
    'id': begun.batch.id,
    'scenario': 'resume',
    'position': begun.batch.position,
    'watermark': begun.batch.get('watermark'),
    'old_buffers': dbt_changelog.old_buffers(plan, found.names, begun.batch.id),
    'last': last,
    'creates': begun.creates,
    'refreshes': begun.refreshes or (begun.creates and last.id > 0),
    'rename_to': rename_to,
    'appended': not begun.is_staged
      or dbt_changelog.has_batch(plan.relations.changelog, begun.batch.id),
    'merged': counts and not begun.creates
      and dbt_changelog.has_batch(plan.relations.state, begun.batch.id),
  })) -%}
{%- do log('Finished batch ' ~ begun.batch.id ~ ' of ' ~ plan.where
    ~ ', which an earlier run had begun: ' ~ dbt_changelog.counters_text(outcome.counters) ~ '.',
    info=true) -%}
{%- endmacro %}

{#- Runs a batch that comes before this run's own; dbt is told what has another name since. -#}
{% macro run_before(plan, batch) -%}
{%- set outcome = dbt_changelog.run_program(dbt_changelog.program_of(plan, batch)) -%}
{%- if batch.rename_to -%}
{%- do adapter.cache_renamed(plan.relations.contents.incorporate(type='table'),
                             batch.rename_to.incorporate(type='table')) -%}
{%- do dbt_changelog.tell_dbt(plan.relations.contents.incorporate(type='view')) -%}
{%- endif -%}
{{ return(outcome) }}
{%- endmacro %}

{#- A table that has our name but not our batch log belongs to someone else. -#}
{% macro check_is_ours(plan, found) -%}
{%- set table = plan.relations.batch_log -%}
{%- if found.exists and found.log is none -%}
{%- do dbt_changelog._raise_foreign(plan, table) -%}
{%- elif found.log and found.log.plan.uid != plan.uid -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'uid', 'the table ' ~ table
    ~ " belongs to uid '" ~ found.log.plan.uid ~ "', and this model has uid '" ~ plan.uid ~ "'",
    "set uid='" ~ found.log.plan.uid ~ "' if the model was renamed, or set another alias") -%}
{%- endif -%}
{%- endmacro %}

{#- The same of what lies beside it. Of a view its query tells: it reads that of the contents. -#}
{% macro _check_others_are_ours(plan, found) -%}
{%- set staged, current = plan.relations.staged, plan.relations.current -%}
{%- set query = found.views.get(current.identifier | lower) -%}
{%- set has_current = query is not none or current.identifier | lower in found.names -%}
{%- if plan.stages and staged.identifier | lower in found.names and found.staged is none -%}
{%- do dbt_changelog._raise_foreign(plan, staged) -%}
{%- elif found.log is none and found.changelog is not none
    and dbt_changelog.uid_of(plan.relations.changelog) is none -%}
{%- do dbt_changelog._raise_foreign(plan, plan.relations.changelog) -%}
{%- elif plan.get('versions') and has_current
    and plan.relations.contents.identifier | lower not in (query or '') | lower -%}
{%- do dbt_changelog._raise_foreign(plan, current if query else current.incorporate(type='table'))
-%}
{%- endif -%}
{%- endmacro %}

{#- What was put back lacks batches that another table has, and that are not read again. -#}
{% macro _check_follows(plan, last, begun) -%}
{%- set table, relations = plan.relations.batch_log, plan.relations -%}
{%- set other = relations.changelog if plan.function == 'from_changelog' else relations.state -%}
{%- if last > 0 and begun.batch.id > last + 1 -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'state', table ~ ' has batch ' ~ last ~ ', and '
    ~ other ~ ' has batch ' ~ begun.batch.id ~ ': the former was restored to an earlier version',
    'restore it to the version that it had; or let the consumers begin again, '
    ~ ('delete from ' ~ other ~ ' where _batch_id > ' ~ last
       if plan.function == 'from_changelog' else 'restore ' ~ other ~ ' to that batch, too,')
    ~ ' and run again') -%}
{%- endif -%}
{%- endmacro %}

{#-
  The rows of a table were put back, and its batch log was not: what batches since then have read
  would be missing. One query, if the snapshot is not the one that the last batch wrote.
-#}
{% macro _check_is_put_back(plan, found) -%}
{%- set table, past = plan.relations.batch_log,
    dbt_changelog.format_of(found.log.file_format).past -%}
{%- set written = dbt_changelog.written_snapshot(found.properties) if past else none -%}
{%- if written is none or written == found.properties[past.snapshot] -%}
{{ return(none) }}
{%- endif -%}
{%- set rows = run_query(past.kept(table, written)).rows -%}
{%- if rows and not rows[0][0] -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'state', 'the table ' ~ table
    ~ ' was rolled back to before snapshot ' ~ written ~ ', which batch ' ~ found.log.batch.id
    ~ ' wrote; its properties, and so the position of that batch, were not',
    'go forward again with ' ~ past.back({'name': table | string}, written) ~ ', or '
    ~ ('run with --full-refresh to build the state anew from all that the source still has'
       if plan.function == 'from_changelog' and not plan.changelog
       else 'let the consumers begin again: drop the tables of the model, and run again')) -%}
{%- endif -%}
{%- endmacro %}

{% macro _raise_foreign(plan, table) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'alias', 'the ' ~ (table.type or 'table') ~ ' '
    ~ table ~ ', which this model would write, exists and was not made by this package',
    'rename or drop it, or set another alias') -%}
{%- endmacro %}

{#-
  A model whose table is gone does not silently begin anew: its view, its changelog or its state
  says that there was one.
-#}
{% macro _check_is_lost(plan, found, asked) -%}
{%- set state = plan.relations.state -%}
{%- if plan.function == 'to_changelog' and not asked and found.state is not none -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'the table ' ~ plan.relations.batch_log
    ~ ' is gone, and ' ~ state ~ ', which remembers what it said, is there',
    'restore it, or let its consumers begin again and run with --full-refresh') -%}
{%- elif plan.function == 'from_changelog' and found.changelog is not none -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'the state ' ~ state
    ~ ' is gone, and the table ' ~ plan.relations.changelog ~ ' has batches of it',
    'restore the state; or drop the changelog, let its consumers begin again, and run again') -%}
{%- elif plan.function == 'from_changelog' and not asked
    and state.identifier in (dbt_changelog.view_text(plan.relations.contents) or '') -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'state', 'the table ' ~ state
    ~ ', which the view ' ~ plan.relations.contents ~ ' reads, is gone',
    'restore it, or run with --full-refresh to build it anew from all that the source still has')
-%}
{%- endif -%}
{%- endmacro %}
