{#-
  The statements that append one batch to a log, in order. A table's changes are staged first, and
  what follows reads only them; changes that are read have just the append, after a note of which.
-#}
{% macro to_changelog_program(plan, batch) -%}
{%- set statements, kernel = [], dbt_changelog.kernel_macros(plan) -%}
{%- if batch.empty -%}
{%- do statements.append({'name': 'create log', 'sql': dbt_changelog.append_events_sql(
    plan, batch, dbt_changelog.no_events_sql(plan))}) if batch.creates -%}
{{ return(statements) }}
{%- endif -%}
{%- if plan.has_staging and not batch.staged -%}
{%- do statements.append({'name': 'stage changes', 'sql': dbt_changelog.stage_rows_sql(
    plan, batch, dbt_changelog.batch_diff_sql(plan, batch))}) -%}
{%- elif not plan.has_staging and not batch.creates -%}
{%- do statements.append({'name': 'plan batch', 'sql': dbt_changelog.set_properties_sql(
    plan.relations.log, dbt_changelog.log_properties(plan, batch.last, batch))}) -%}
{%- endif -%}
{%- do statements.extend(batch.alters) -%}
{%- do statements.append({'name': 'append changelog', 'sql': dbt_changelog.append_events_sql(
    plan, batch, dbt_changelog.partition_checks_sql(
      plan, dbt_changelog.batch_events_sql(plan, batch)))}) if not batch.appended -%}
{%- if plan.has_staging and not batch.merged -%}
{%- do statements.append({'name': 'write state', 'sql': dbt_changelog.write_state_sql(
    plan, batch, kernel.rows(plan, batch))}) -%}
{%- endif -%}
{%- if plan.has_staging and not batch.creates and batch.id % 16 == 0 -%}
{%- do statements.append({'name': 'purge state', 'sql':
    dbt_changelog.purge_state_sql(plan, batch)}) -%}
{%- endif -%}
{{ return(statements) }}
{%- endmacro %}
