{#- The statements that apply one batch to the state, in order. -#}
{% macro from_changelog_program(plan, batch) -%}
{%- set statements = [] -%}
{%- set rows = dbt_changelog.batch_rows_sql(plan, batch) -%}
{%- set rows = dbt_changelog.constraint_checks_sql(plan, rows) if plan.constraints else rows -%}
{%- if batch.creates -%}
{%- do statements.append(
  {'name': 'write state', 'sql': dbt_changelog.create_state_sql(plan, batch, rows)}) -%}
{%- elif not batch.empty -%}
{%- do statements.append(
  {'name': 'write state', 'sql': dbt_changelog.merge_state_sql(plan, rows)}) -%}
{%- endif -%}
{{ return(statements) }}
{%- endmacro %}
