{#-
  Runs one writing statement and gives its result, a table. Every write of a run goes through here,
  and all that ran so far is in target/run.

  var dbt_changelog_fail_after: the name of a statement after which to fail, to see a recovery.
-#}
{% macro run_statement(batch, name, sql) -%}
{%- do batch.statements.append({'name': name, 'sql': sql}) -%}
{%- do write(dbt_changelog.program_text(batch.statements)) -%}
{%- set result = run_query(sql) -%}
{%- if var('dbt_changelog_fail_after', none) == name -%}
{%- do exceptions.raise_compiler_error("Failed on purpose after '" ~ name
    ~ "' (var dbt_changelog_fail_after). Run again to recover.") -%}
{%- endif -%}
{{ return(result) }}
{%- endmacro %}
