{#-
  The late and repeated changes of a batch, where they are cheap, from the staging table, or asked
  for: {events_late, events_duplicate}. It costs a pass.
-#}
{% macro count_changes(plan, batch) -%}
{%- if batch.empty or batch.creates or plan.counts_events or plan.counters is none
    or not (plan.changelog or plan.counters == 'full') -%}
{{ return({}) }}
{%- endif -%}
{%- set row = run_query(dbt_changelog.count_changes_sql(plan, batch)).rows[0] -%}
{{ return({'events_duplicate': row[1] | int, 'events_late': row[2] | int}) }}
{%- endmacro %}
