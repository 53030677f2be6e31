{#- A changelog must have all batches: it can't begin late, nor be lost and begin again. -#}
{% macro check_changelog_drift(plan, log) -%}
{%- set is_there = plan.changelog and dbt_changelog.table_exists(plan.relations.changelog) -%}
{%- if plan.changelog and log.batch.id > 0 and not log.plan.changelog and not is_there -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'the state has '
    ~ log.batch.id ~ ' batches that a changelog would lack',
    'run with --full-refresh: the changelog begins with the contents of then') -%}
{%- elif plan.changelog and log.batch.id > 0 and not is_there -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'the table ' ~ plan.relations.changelog
    ~ ' is gone, and consumers of it would miss what it had',
    'restore it, or run with --full-refresh: it begins with the contents of then') -%}
{%- elif log.plan.changelog and not plan.changelog -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'the model had a changelog, which would'
    ~ ' stop without a word to its consumers', 'set changelog=true, or run with --full-refresh') -%}
{%- endif -%}
{%- endmacro %}
