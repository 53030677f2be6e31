{#-
  What a batch did to the contents, asked of the rows that it wrote: so a batch that an earlier run
  wrote has its numbers, too. Without a new position a batch that wrote nothing is none: it ends
  here.
-#}
{% macro count_rows_steps(plan, batch) -%}
{%- if batch.scenario == 'empty' -%}
{{ return([]) }}
{%- endif -%}
{%- set may_end = not batch.creates and batch.scenario != 'resume'
    and batch.position == batch.last.position -%}
{{ return([{
  'name': 'count rows',
  'sql': dbt_changelog._count_rows_sql(plan, batch),
  'counts': true,
  'ends': {'without': 'written',
           'sql': dbt_changelog.unstage_sql(plan, batch) if batch.is_staged} if may_end,
}]) }}
{%- endmacro %}

{#- The late, repeated and unknown events of a batch, where they are cheap or asked for. -#}
{% macro count_events_steps(plan, batch) -%}
{%- if not batch.writes -%}
{{ return([]) }}
{%- endif -%}
{%- set steps, all = [], plan.counters == 'full' -%}
{%- set skips = plan.invalid_op_handling == 'LOG'
    or (plan.invalid_op_handling == 'SKIP' and all) -%}
{%- do steps.append({
  'name': 'count unknown codes',
  'sql': dbt_changelog._count_codes_sql(plan, batch),
  'counts': true,
  'warns': {'if': 'codes', 'text': 'Skipped events of ' ~ plan.where ~ ' with unknown op codes in'
    ~ ' column ' ~ plan.op ~ ': {codes}. Known codes: '
    ~ plan.op_mapping | map(attribute='code') | join(', ')} if plan.invalid_op_handling == 'LOG',
}) if skips and batch.scenario != 'resume' -%}
{{ return(steps) }}
{%- endmacro %}

{#- The same of the changes beside the state, before it is written. -#}
{% macro count_late_steps(plan, batch) -%}
{%- set known = batch.scenario == 'resume' or batch.arrived -%}
{{ return([{
  'name': 'count late changes',
  'sql': dbt_changelog.count_late_sql(plan, batch),
  'counts': true,
}] if batch.writes and not batch.creates and plan.unique_key and known
      and (plan.changelog or plan.counters == 'full') else []) }}
{%- endmacro %}

{% macro _count_rows_sql(plan, batch) -%}
select
{%- for name, sql in dbt_changelog.kernel_of(plan.kernel).row_counts.items() %}
  {{ sql }} as {{ name }},
{%- endfor %}
  count(*) as written
from {{ batch.state }}
where _batch_id = {{ batch.id }}
{%- endmacro %}

{#- The unknown op codes of a batch and how many events have each; of what arrived, if known. -#}
{% macro _count_codes_sql(plan, batch) -%}
{%- set op = dbt_changelog.op_sql(plan) -%}
with {{ dbt_changelog.events_cte(batch.events) }},

unknown_codes as (
  select {{ op }} as op_code, count(*) as events
  from events
  where {{ op }} not in ({{ dbt_changelog.literals(plan.op_mapping | map(attribute='code')) }})
{{- '\n    and coalesce(' ~ batch.arrived ~ ', true)' if batch.arrived not in [none, 'true'] }}
  group by {{ op }}
)

select
  coalesce(sum(events), 0) as events_invalid,
  array_join(array_sort(collect_list(concat("'", op_code, "' (", events, ' events)'))), ', ')
    as codes
from unknown_codes
{%- endmacro %}
