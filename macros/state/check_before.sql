{#- What must hold just before a statement of a batch, since another run may work on it too. -#}
{% macro check_before(plan, batch, statement) -%}
{%- do dbt_changelog.check_staging_is_ours(plan, batch)
    if dbt_changelog.is_staged(plan, batch) and statement != 'stage changes' -%}
{%- do dbt_changelog.check_batch_is_free(plan, batch)
    if plan.counts_events and statement == 'write state' -%}
{%- do dbt_changelog.check_changelog_is_free(plan, batch)
    if plan.has_staging and statement == 'append changelog' -%}
{%- do dbt_changelog.check_plan_is_ours(plan, batch)
    if not plan.has_staging and not batch.creates and statement == 'append changelog' -%}
{%- endmacro %}
