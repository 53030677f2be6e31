{#-
  Runs the statements in order; gives what was counted: {rows_inserted, ...}. A diff that found
  nothing ends the batch: it is idle.
-#}
{% macro run_program(plan, batch, program) -%}
{%- set function = dbt_changelog.function_macros(plan) -%}
{%- do dbt_changelog.check_batch_is_free(plan, batch) if batch.creates -%}
{%- set counters = dbt_changelog.count_invalid(plan, batch) -%}
{%- for statement in program -%}
{%- if not batch.idle -%}
{%- do dbt_changelog.check_before(plan, batch, statement.name) -%}
{%- do counters.update(dbt_changelog.count_changes(plan, batch))
    if statement.name == 'write state' -%}
{%- set result = dbt_changelog.run_statement(batch, statement.name, statement.sql) -%}
{%- do batch.update({'result': result}) if statement.name == function.counted -%}
{%- do batch.update({'idle': dbt_changelog.is_unchanged(plan, batch)})
    if statement.name == 'stage changes' -%}
{%- endif -%}
{%- endfor -%}
{%- do counters.update(function.counters(plan, batch))
    if not (batch.empty or batch.idle) -%}
{{ return(counters) }}
{%- endmacro %}
