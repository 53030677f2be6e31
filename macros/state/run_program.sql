{#- Runs the statements in order; gives what was counted: {rows_inserted, ...}. -#}
{% macro run_program(plan, batch, program) -%}
{%- do dbt_changelog.check_batch_is_free(plan, batch) if batch.creates -%}
{%- do write(dbt_changelog.program_text(program)) -%}
{%- set counters = dbt_changelog.count_invalid(plan, batch) -%}
{%- for statement in program -%}
{%- set result = dbt_changelog.run_statement(statement) -%}
{%- do counters.update(dbt_changelog.merge_counters(result)) -%}
{%- endfor -%}
{{ return(counters) }}
{%- endmacro %}
