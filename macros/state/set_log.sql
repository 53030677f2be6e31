{#- Commits a batch: in the log of the state, or, where it is a new one, later by the view. -#}
{% macro set_log(plan, batch) -%}
{%- do dbt_changelog.check_batch_is_free(plan, batch) -%}
{%- do dbt_changelog.run_statement(batch, 'commit batch', dbt_changelog.set_properties_sql(
    plan.relations.log, dbt_changelog.log_properties(plan, batch)))
    if batch.state | string == plan.relations.state | string -%}
{%- endmacro %}
