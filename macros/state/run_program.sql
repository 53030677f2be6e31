{#- Runs the statements in order; gives what was counted: {rows_inserted, ...}. -#}
{% macro run_program(plan, batch, program) -%}
{%- do dbt_changelog.check_batch_is_free(plan, batch) if batch.creates -%}
{%- set counters = dbt_changelog.count_invalid(plan, batch) -%}
{%- for statement in program -%}
{%- do dbt_changelog.check_staging_is_ours(plan, batch)
    if dbt_changelog.is_staged(plan, batch) and statement.name != 'stage changes' -%}
{%- do dbt_changelog.check_batch_is_free(plan, batch)
    if plan.counts_events and statement.name == 'write state' -%}
{%- do dbt_changelog.check_changelog_is_free(plan, batch)
    if statement.name == 'append changelog' -%}
{%- do counters.update(dbt_changelog.count_changes(plan, batch))
    if statement.name == 'write state' -%}
{%- set result = dbt_changelog.run_statement(batch, statement.name, statement.sql) -%}
{%- do counters.update(dbt_changelog.merge_counters(plan, batch, result))
    if statement.name == 'write state' -%}
{%- endfor -%}
{{ return(counters) }}
{%- endmacro %}
