{#-
  The late and repeated changes of a batch, where they are cheap, from the staging table, or asked
  for: {events_late, events_duplicate}. It costs a pass, so none where nothing tells what arrived.
-#}
{% macro count_changes(plan, batch) -%}
{%- if batch.empty or batch.creates or plan.counts_events or plan.counters is none
    or not (plan.changelog or plan.counters == 'full')
    or not (batch.staged or dbt_changelog.arrived_sql(plan, batch)) -%}
{{ return({}) }}
{%- endif -%}
{%- set counters = {} -%}
{%- for name, count in
    run_query(dbt_changelog.count_changes_sql(plan, batch)).rows[0].dict().items() -%}
{%- do counters.update({name: count | int}) if count is not none -%}
{%- endfor -%}
{{ return(counters) }}
{%- endmacro %}
