{#-
  An event as text, for messages: its op code and images, or its op code and key, or without a key
  its row.
-#}
{% macro event_text_sql(plan) -%}
{%- set names = [plan.op] + ([plan.before, plan.after] | select('string') | unique | list
    if plan.images else plan.unique_key or plan.payload or []) -%}
{{ return('to_json(struct(' ~ dbt_changelog.csv(names) ~ '))') }}
{%- endmacro %}
