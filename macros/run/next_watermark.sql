{#-
  What a batch of a model with a watermark has beside others: {watermark, arrivals, old_buffers}
  (buffer_steps). The watermark follows the greatest time of what arrived, less the delay; it never
  goes back, and what is too far ahead of the clock does not move it. Asked once: a literal since.

  var dbt_changelog_flush: the input ends here, and nothing waits any more.
-#}
{% macro next_watermark(plan, found, batch) -%}
{%- do dbt_changelog._check_one_place(plan) -%}
{%- set last = none if batch.refreshes else batch.last.get('watermark') -%}
{%- set waiting = dbt_changelog.sibling_relation(plan.relations.home, 'any').incorporate(
    path={'identifier': last.buffer}) if last and last.buffer else none -%}
{#- a micro-batch is followed by others: they end with a batch of the query without rows -#}
{%- set flushes = dbt_changelog.flushes() and batch.events == plan.query -%}
{%- set buffer = dbt_changelog.sibling_relation(plan.relations.home,
    'buffer_' ~ batch.id ~ '_' ~ local_md5(invocation_id)[:8]) -%}
{%- set arrivals = {
  'query': batch.events,
  'buffer': buffer,
  'mark': last.mark if last else none,
  'waiting': dbt_changelog._waiting_events(plan, found, waiting) if waiting else none,
  'read_again': dbt_changelog._read_again_sql(plan),
} -%}
{%- set late = dbt_changelog._late_events(plan, found, batch) -%}
{%- set mark = dbt_changelog._asked_mark(plan, arrivals, flushes) -%}
{%- set watermark = {'mark': mark, 'buffer': none if flushes else buffer.identifier} -%}
{{ return({
  'arrivals': dict(arrivals, **late),
  'watermark': watermark,
  'old_buffers': dbt_changelog.old_buffers(plan, found.names, batch.id)
    + ([buffer] if flushes else []),
}) }}
{%- endmacro %}

{#- What is read again of several relations has a place in each of them. -#}
{% macro _check_one_place(plan) -%}
{%- set read = dbt_changelog.read_ranges(plan.query) | list -%}
{%- if plan.read.mode == 'column' and not plan.read.strict and read | length > 1 -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'watermark', 'the query has new_rows of '
    ~ read | join(' and ') ~ ', whose rows are read again from places of their own, and nothing'
    ~ ' tells which events wait already',
    "if no row arrives later with a value at or below the greatest, write read={'column': '"
    ~ plan.read.column ~ "', 'strict': true}; or select from one view or table of all of them") -%}
{%- endif -%}
{%- endmacro %}

{#- Whether the user said that the input ends with this run. -#}
{% macro flushes() -%}
{{ return(true if var('dbt_changelog_flush', false) else false) }}
{%- endmacro %}

{#- The buffers of the batches before. One of this batch may be that of another run just now. -#}
{% macro old_buffers(plan, names, id) -%}
{%- set base, tables = dbt_changelog.sibling_relation(plan.relations.home, 'buffer'), [] -%}
{%- for name in names -%}
{%- set found = modules.re.fullmatch(
    modules.re.escape(base.identifier | lower) ~ '_(\\d+)_\\w{8}', name) -%}
{%- do tables.append(base.incorporate(path={'identifier': name}))
    if found and found[1] | int < id -%}
{%- endfor -%}
{{ return(tables) }}
{%- endmacro %}

{#- The buffer of the last batch. What waits in it was never applied, so it must be there. -#}
{% macro _waiting_events(plan, found, table) -%}
{%- if table.identifier | lower not in found.names -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'watermark', 'the table ' ~ table
    ~ ', in which events wait that were not applied yet, is gone',
    'restore it, or run with --full-refresh to build the state anew from all that the source'
    ~ ' still has') -%}
{%- endif -%}
{%- set columns = dbt_changelog.describe_columns('select * from ' ~ table) -%}
{%- do dbt_changelog._check_types(plan, table, columns | rejectattr('parts', 'none') | list,
    "run once with --vars '{dbt_changelog_flush: true}' and the query as it was, so that nothing"
    ~ ' waits, and change it then') -%}
{{ return({'table': table, 'columns': columns}) }}
{%- endmacro %}

{#- A table of events may lack a column of the query; those that it has are of the same type. -#}
{% macro _check_types(plan, table, columns, fix) -%}
{%- for column in dbt_changelog.stored_columns(plan) -%}
{%- set type = dbt_changelog.stored_type(plan.storage.file_format, column.type) -%}
{%- for stored in columns if stored.name == column.name and stored.type != type -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'watermark', "column '" ~ column.name ~ "' is "
    ~ type ~ ' in the query and ' ~ stored.type ~ ' in ' ~ table, fix) -%}
{%- endfor -%}
{%- endfor -%}
{%- endmacro %}

{#- Of the table of late events: {late: its columns, kept: whether it has this batch}. -#}
{% macro _late_events(plan, found, batch) -%}
{%- set late = plan.relations.late -%}
{%- set is_there = plan.watermark.keeps_late and late.identifier | lower in found.names -%}
{%- if is_there and dbt_changelog.table_properties(late).get('dbt_changelog.uid') != plan.uid -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'late_handling', 'the table ' ~ late
    ~ ', into which late events would go, exists and was not made by this model',
    'rename or drop that table') -%}
{%- endif -%}
{%- set columns = dbt_changelog.describe_columns('select * from ' ~ late) if is_there else none -%}
{%- do dbt_changelog._check_types(plan, late, columns or [],
    'rename or drop that table, and the next late events make it anew') -%}
{{ return({
  'late': columns,
  'kept': is_there and run_query('select 1 from ' ~ late ~ ' where _dbtc_batch_id = ' ~ batch.id
    ~ ' limit 1').rows | length > 0,
}) }}
{%- endmacro %}

{#-
  The condition for an event to be read by two batches: it lies in what both ranges have, from where
  the query reads to where the last batch read, unless the position is strict.
-#}
{% macro _read_again_sql(plan) -%}
{%- set start = dbt_changelog.read_start(plan) if not plan.read.strict else none -%}
{{ return('coalesce(' ~ start.column ~ ' between ' ~ dbt_changelog.position_sql(
    start.position, plan.read.lookback) ~ ' and ' ~ dbt_changelog.position_sql(start.position)
    ~ ', true)' if start else none) }}
{%- endmacro %}

{#- The watermark after a batch. What is wrong with an event is an error here, before it waits. -#}
{% macro _asked_mark(plan, arrivals, flushes) -%}
{%- if plan.read.mode == 'stream' and flags.WHICH == 'run-operation' -%}
{#- no micro-batch is there to be asked -#}
{{ return(arrivals.mark) }}
{%- endif -%}
{%- set value = run_query(dbt_changelog.watermark_sql(plan, arrivals, flushes)).rows[0][0] -%}
{{ return({'type': plan.watermark.type, 'value': value} if value else arrivals.mark) }}
{%- endmacro %}

{#- The watermark after a batch, as a text that no session's zone changes; empty without events. -#}
{% macro watermark_sql(plan, arrivals, flushes) -%}
{%- set watermark, kernel = plan.watermark, dbt_changelog.kernel_of(plan.kernel) -%}
{%- set time = '_sequence' if plan.sequence_by | length == 1 else '_sequence._1' -%}
{%- set newest = 'max(_dbtc_time)' ~ (" - interval '" ~ watermark.delay ~ "'"
    if not flushes and watermark.delay != '0') -%}
{%- set newest = 'greatest(' ~ newest ~ ', ' ~ dbt_changelog.mark_sql(arrivals.mark) ~ ')'
    if arrivals.mark else newest -%}
{%- set times -%}
event_times as (
  select {{ time }} as _dbtc_time
  from changes
{%- if arrivals.waiting %}
  union all
  select {{ watermark.time }}
  from {{ arrivals.waiting.table }}
{%- endif %}
)
{%- endset -%}
{{ return(dbt_changelog.chain_sql([
  dbt_changelog.events_ctes(plan, arrivals.query),
  dbt_changelog.decode_ctes(plan, dbt_changelog.every_row_sql('events'),
                            upserts_only=not kernel.counts_events),
  times,
], 'event_times', ["to_csv(named_struct('mark', " ~ newest ~ '), map('
     ~ dbt_changelog.text_formats() ~ ')) as _dbtc_mark'])
  ~ '\nwhere cast(_dbtc_time as timestamp) <= ' ~ dbt_changelog.latest_time_sql(plan)) }}
{%- endmacro %}
