{#-
  What a batch did to the contents, asked of the rows that it wrote: so a batch that an earlier run
  wrote has its numbers, too. Without a new position one that wrote nothing is not a batch, and ends
  here.
-#}
{% macro count_rows_steps(plan, batch) -%}
{%- if not batch.writes -%}
{{ return([]) }}
{%- endif -%}
{%- set may_end = not batch.creates and batch.scenario != 'resume'
    and batch.position == batch.last.position
    and not (batch.arrivals and batch.watermark.buffer is none) -%}
{%- do return([]) if not dbt_changelog._rows_tell(plan, batch) and not may_end -%}
{{ return([{
  'name': 'count rows',
  'sql': dbt_changelog._count_rows_sql(plan, batch),
  'counts': true,
  'warns': {'if': 'values_unknown', 'text': '{values_unknown} values of ' ~ plan.where
    ~ ' were never sent, so they are NULL in the contents. To fix: let the source send whole rows'
    ~ ' (Postgres: replica identity full), or send these once more (an incremental snapshot).'}
    if (plan.get('unavailable_value') or plan.get('columns_not_sent')) and not plan.get('versions')
    else none,
  'ends': {'without': 'written',
           'sql': dbt_changelog.unstage_sql(plan, batch) if batch.is_staged} if may_end else none,
}]) }}
{%- endmacro %}

{#-
  The events of unknown codes in a batch, where they are not an error. Their number is of what
  arrived; where nothing tells what did, only the warning is left.
-#}
{% macro count_events_steps(plan, batch) -%}
{%- set plan = batch.reader or plan -%}
{%- set handling = plan.invalid_op_handling -%}
{%- set counts = handling == 'LOG' or (handling == 'SKIP' and plan.counters == 'full'
    and batch.arrived) -%}
{{ return([{
  'name': 'count unknown codes',
  'sql': dbt_changelog._count_codes_sql(plan, batch),
  'counts': true,
  'warns': {'if': 'codes', 'text': 'Skipped events of ' ~ plan.where ~ ' with unknown op codes in'
    ~ ' column ' ~ plan.op ~ ': {codes}. Known codes: '
    ~ plan.op_mapping | map(attribute='code') | join(', ')} if handling == 'LOG',
}] if counts and batch.writes and batch.scenario != 'resume' else []) }}
{%- endmacro %}

{#- The late and repeated changes of a batch, or those that do nothing, before the state has it. -#}
{% macro count_late_steps(plan, batch) -%}
{%- set known = batch.scenario == 'resume' or batch.arrived -%}
{{ return([{
  'name': 'count late changes',
  'sql': dbt_changelog.kernel_of(plan.kernel).late(plan, batch),
  'counts': true,
}] if batch.writes and not batch.creates and dbt_changelog.kernel_of(plan.kernel).late and known
      and (plan.changelog or plan.counters == 'full') else []) }}
{%- endmacro %}

{#- Whether the rows of a batch say what it did; those that were appended do not. -#}
{% macro _rows_tell(plan, batch) -%}
{{ return(batch.creates or not dbt_changelog.kernel_of(plan.kernel).appends) }}
{%- endmacro %}

{% macro _count_rows_sql(plan, batch) -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
{%- do return(kernel.count_rows(plan, batch)) if kernel.count_rows -%}
select
{%- for name, sql in (kernel.row_counts if dbt_changelog._rows_tell(plan, batch)
                      else {}).items() %}
  {{ sql }} as {{ name }},
{%- endfor %}
{%- if plan.get('partial') and not plan.get('versions') %}
  {{ dbt_changelog.unknown_values_sql(plan) }} as values_unknown,
{%- endif %}
  count(*) as written
from {{ batch.state }}
where _batch_id = {{ batch.id }}
{%- endmacro %}

{#- The unknown op codes of a batch and how many events have each; of what arrived, if known. -#}
{% macro _count_codes_sql(plan, batch) -%}
{%- set op = dbt_changelog.op_sql(plan) -%}
with {{ dbt_changelog.events_ctes(plan, batch.events) }},

unknown_codes as (
  select {{ op }} as op_code, count(*) as events
  from events
  where {{ op }} not in ({{ dbt_changelog.literals(plan.op_mapping | map(attribute='code')) }})
{{- '\n    and coalesce(' ~ batch.arrived ~ ', true)' if batch.arrived not in [none, 'true'] }}
  group by {{ op }}
)

select
  {{ 'coalesce(sum(events), 0)' if batch.arrived else 'cast(null as bigint)' }} as events_invalid,
  array_join(array_sort(collect_list(concat("'", op_code, "' (", events, ' events)'))), ', ')
    as codes
from unknown_codes
{%- endmacro %}
