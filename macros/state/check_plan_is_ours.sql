{#-
  Of two runs that wrote down what they would append the last one goes on, and the other says so; a
  batch that is there already was appended by the other.
-#}
{% macro check_plan_is_ours(plan, batch) -%}
{%- set log = dbt_changelog.current_log(plan) -%}
{%- if not log or log.get('planned', {}).get('invocation_id') != batch.invocation_id
    or dbt_changelog.has_batch(plan.relations.log, batch.id) -%}
{%- do dbt_changelog.raise_problem('Another run of ' ~ plan.where ~ ' began batch ' ~ batch.id
    ~ ' while this one did. Nothing is lost: that run goes on, or the next one',
    'run the model again; let one run of it end before the next begins') -%}
{%- endif -%}
{%- endmacro %}
