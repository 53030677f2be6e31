{#- Runs the statements in order; gives the counters of the last: {rows_inserted, ...} or {}. -#}
{% macro run_program(plan, batch, program) -%}
{%- do dbt_changelog.check_batch_is_free(plan, batch) if batch.creates -%}
{%- do write(dbt_changelog.program_text(program)) -%}
{%- set counters = {} -%}
{%- for statement in program -%}
{%- set result = dbt_changelog.run_statement(statement) -%}
{%- do counters.update(dbt_changelog.merge_counters(result)) -%}
{%- endfor -%}
{{ return(counters) }}
{%- endmacro %}
