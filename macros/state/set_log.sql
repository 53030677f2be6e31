{#- Commits a batch whose state was written by a MERGE. -#}
{% macro set_log(plan, batch) -%}
{%- do dbt_changelog.check_batch_is_free(plan, batch) -%}
{%- do dbt_changelog.run_statement(batch, 'commit batch', dbt_changelog.set_properties_sql(
    plan.relations.state, dbt_changelog.log_properties(plan, batch))) -%}
{%- endmacro %}
