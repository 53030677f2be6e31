{#-
  The statements that apply one batch to the state, in order. With a changelog the changes are
  staged first, and all that follows reads only them; a batch that was staged before goes on there.
-#}
{% macro from_changelog_program(plan, batch) -%}
{%- set statements, constraints = [], plan.constraints -%}
{%- set rows = dbt_changelog.batch_rows_sql(plan, batch) -%}
{%- set rows = dbt_changelog.constraint_checks_sql(plan, rows) if constraints else rows -%}
{%- if plan.changelog and not batch.empty -%}
{%- do statements.append({'name': 'stage changes',
    'sql': dbt_changelog.stage_changes_sql(plan, batch)}) if not batch.staged -%}
{%- endif -%}
{%- set statements = statements + batch.alters -%}
{%- if plan.changelog and not batch.empty -%}
{%- do statements.append({'name': 'append changelog',
    'sql': dbt_changelog.append_changelog_sql(plan, batch)}) if not batch.appended -%}
{%- endif -%}
{%- if batch.creates -%}
{%- do statements.append({'name': 'write state',
    'sql': dbt_changelog.create_state_sql(plan, batch, rows)}) -%}
{%- elif not batch.empty -%}
{%- do statements.append({'name': 'write state',
    'sql': dbt_changelog.merge_state_sql(plan, rows)}) -%}
{%- endif -%}
{{ return(statements) }}
{%- endmacro %}
