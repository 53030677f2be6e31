{#-
  What a model with a watermark does before all else: the events that arrived go into a buffer, with
  those that waited in the one before. The rest of the program reads from it what is due.

  batch.arrivals: {query, buffer, waiting, mark, read_again}: the events that arrived; the buffer of
  this batch; that of the last one, {table, columns}, or none; the watermark before the batch, by
  which events are late; the condition for an event to be read by two batches, or none.
  batch.watermark: {mark, buffer}, as the batch log keeps it: the watermark after the batch, and the
  name of its buffer, none where nothing waits since all was flushed.

  Each batch has a buffer of its own, so that of the last one is as it was until the next is named.
-#}
{% macro buffer_steps(plan, batch) -%}
{%- if not batch.arrivals or not batch.writes -%}
{{ return([]) }}
{%- endif -%}
{{ return([{
  'name': 'buffer events',
  'guards': dbt_changelog.guards(plan, batch, 'first'),
  'sql': dbt_changelog.create_table_sql(batch.arrivals.buffer,
    dict(dbt_changelog.sibling_storage(plan.storage), location_root=none), plan.columns.input,
    {'dbt_changelog.uid': plan.uid}, dbt_changelog._buffered_sql(plan, batch)),
}] + dbt_changelog.late_steps(plan, batch) + [{
  'name': 'count waiting events',
  'sql': dbt_changelog._count_buffer_sql(plan, batch),
  'counts': true,
  'warns': {'if': 'ahead', 'text': '{ahead} of ' ~ plan.where ~ ' are more than '
    ~ plan.watermark.max_future ~ ' ahead of the clock. They wait, and the watermark does not'
    ~ ' follow them. To fix: correct the clock of the source, or set a longer max_future.'},
}]) }}
{%- endmacro %}

{#- The batch as the steps after these see it: its events are those of the buffer that are due. -#}
{% macro due_batch(plan, batch) -%}
{%- if not batch.arrivals -%}
{{ return(batch) }}
{%- endif -%}
{%- set columns, mark = [], batch.arrivals.mark -%}
{%- for column in plan.columns.input -%}
{%- do columns.append(('null as ' if column.type == 'void') ~ dbt_changelog.quote(column.name)) -%}
{%- endfor -%}
{{ return(dict(batch,
  events='select\n  ' ~ columns | join(',\n  ') ~ '\nfrom ' ~ batch.arrivals.buffer
    ~ '\nwhere ' ~ dbt_changelog.is_due_sql(plan, batch),
  arrived='true' if mark is none or batch.arrived == 'true' else
    plan.watermark.time ~ ' > ' ~ dbt_changelog.mark_sql(mark) ~ ' or ('
    ~ (batch.arrived or 'cast(null as boolean)') ~ ')',
  reader=dict(plan, wire=none),
)) }}
{%- endmacro %}

{#- The batch as if only what arrived and is due were its events: nothing is buffered yet. -#}
{% macro due_arrivals(plan, batch) -%}
{{ return(dict(batch,
  events=dbt_changelog.chain_sql([dbt_changelog.events_ctes(plan, batch.events)], 'events')
    ~ '\nwhere ' ~ dbt_changelog.is_due_sql(plan, batch),
  reader=dict(plan, wire=none),
) if batch.arrivals else batch) }}
{%- endmacro %}

{#- Whether an event is applied by the batch: it is not late, and its time is complete. -#}
{% macro is_due_sql(plan, batch) -%}
{%- set time, last, mark, conditions = plan.watermark.time, batch.arrivals.mark,
    batch.watermark.mark, [] -%}
{%- do conditions.append(time ~ ' >= ' ~ dbt_changelog.mark_sql(last)) if last -%}
{%- do conditions.append(time ~ ' <= ' ~ dbt_changelog.mark_sql(mark) if mark else 'false')
    if batch.watermark.buffer -%}
{{ return(conditions | join('\n  and ') or 'true') }}
{%- endmacro %}

{#- The steps that drop the buffers of the batches before. -#}
{% macro old_buffer_steps(plan, batch) -%}
{%- set steps, format = [], dbt_changelog.format_of(plan.storage.file_format) -%}
{%- for table in batch.old_buffers if batch.writes -%}
{%- do steps.append({'name': 'drop old buffer', 'sql': 'drop table if exists ' ~ table
    ~ format.drop_files}) -%}
{%- endfor -%}
{{ return(steps) }}
{%- endmacro %}

{#- What arrived, but what is late and was read before; and what waits. -#}
{% macro _buffered_sql(plan, batch) -%}
{%- set mark, arrived, waiting = batch.arrivals.mark, batch.arrived, batch.arrivals.waiting -%}
{%- set columns = dbt_changelog.stored_columns(plan) -%}
{%- set names = columns | map(attribute='name') | list -%}
{%- set arrivals -%}
arrivals as (
  select
    {{ (dbt_changelog.written_columns_sql(names, columns) | join(',\n    '))
       or dbt_changelog.csv(names, separator=',\n    ') }}
  from {{ dbt_changelog.every_row_sql('events') }}
  where {{ dbt_changelog.event_checks_sql(plan) | indent(2) }}
{%- if mark and arrived not in [none, 'true'] %}
    and ({{ plan.watermark.time }} >= {{ dbt_changelog.mark_sql(mark) }}
      or coalesce({{ arrived }}, false))
{%- endif %}
)
{%- endset -%}
{{ return(dbt_changelog.chain_sql([
  dbt_changelog.events_ctes(plan, batch.arrivals.query),
  arrivals,
  dbt_changelog._buffered_ctes(plan, batch, columns) if waiting else '',
], 'buffered' if waiting else 'arrivals')) }}
{%- endmacro %}

{#-
  What arrived, and what waits, as CTEs: -> `buffered`. What is read again is not taken twice, but
  the source may have removed it since; what passes through may be another value then. The columns
  are today's: NULL where an event is older than a column.
-#}
{% macro _buffered_ctes(plan, batch, columns) -%}
{%- set waiting, mark, again = batch.arrivals.waiting, batch.arrivals.mark,
    batch.arrivals.read_again -%}
{%- set items, known = [], [] -%}
{%- for column in columns -%}
{%- set name = dbt_changelog.find_name(column.name, waiting.columns | map(attribute='name')) -%}
{%- set type = dbt_changelog.stored_type(plan.storage.file_format, column.type) -%}
{%- set same = waiting.columns | selectattr('name', 'equalto', name)
    | selectattr('type', 'equalto', type) | list -%}
{%- set value = dbt_changelog.quote(name) if same else 'cast('
    ~ (dbt_changelog.quote(name) if name else 'null') ~ ' as ' ~ type ~ ')' -%}
{%- do items.append(value if value == dbt_changelog.quote(column.name)
    else value ~ ' as ' ~ dbt_changelog.quote(column.name)) -%}
{%- do known.append(column)
    if name and column.name not in plan.passthrough + plan.uncompared -%}
{%- endfor -%}
{%- set row = dbt_changelog.row_hash_sql({'compared': known}, tells_nulls=true) -%}
waiting as (
  select
    {{ items | join(',\n    ') }}
  from {{ waiting.table }}
{{- '\n  where ' ~ plan.watermark.time ~ ' > ' ~ dbt_changelog.mark_sql(mark) if mark }}
),

buffered as (
  select * from arrivals
  union all
  select * from waiting
{%- if again %}
  where not ( -- events that the source still has are among the arrivals
    {{ again }}
    and {{ row }} in (
      select {{ row }}
      from events
      where {{ again }}
    )
  )
{%- endif %}
)
{%- endmacro %}

{#- The columns of events as a table has them: what has no type is in none. -#}
{% macro stored_columns(plan) -%}
{{ return(plan.columns.input | rejectattr('type', 'equalto', 'void') | list) }}
{%- endmacro %}

{#- Of the buffer's events, how many are late, wait, and are ahead of the clock. -#}
{% macro _count_buffer_sql(plan, batch) -%}
{%- set last, mark, count = batch.arrivals.mark, batch.watermark.mark, 'count(*) filter (where ' -%}
with event_times as (
  select
    {{ plan.watermark.time }} as _dbtc_time,
    cast({{ plan.watermark.time }} as timestamp) > {{ dbt_changelog.latest_time_sql(plan) }}
      as _dbtc_is_ahead
  from {{ batch.arrivals.buffer }}
)

select
  {{ count ~ '_dbtc_time < ' ~ dbt_changelog.mark_sql(last) ~ ')' if last else 0 }}
    as events_dropped,
  {{ (count ~ '_dbtc_time > ' ~ dbt_changelog.mark_sql(mark) ~ ')' if mark else 'count(*)')
     if batch.watermark.buffer else 0 }}
    as events_waiting,
  if(
    bool_or(_dbtc_is_ahead),
    concat({{ count }}_dbtc_is_ahead), ' events (the last one of ', max(_dbtc_time), ')'),
    null
  ) as ahead
from event_times
{%- endmacro %}

{#- The latest time that the watermark follows. -#}
{% macro latest_time_sql(plan) -%}
{%- set more = plan.watermark.max_future -%}
{{ return(plan.now ~ ('' if more == '0' else " + interval '" ~ more ~ "'")) }}
{%- endmacro %}

{#- A watermark as SQL. -#}
{% macro mark_sql(mark) -%}
{{ return(mark.type ~ dbt_changelog.literal(mark.value)) }}
{%- endmacro %}
