{#-
  Runs one writing statement and gives its result, a table. Every write of a run goes through here.

  var dbt_changelog_fail_after: the name of a statement after which to fail, to see a recovery.
-#}
{% macro run_statement(statement) -%}
{%- set result = run_query(statement.sql) -%}
{%- if var('dbt_changelog_fail_after', none) == statement.name -%}
{%- do exceptions.raise_compiler_error("Failed on purpose after '" ~ statement.name
    ~ "' (var dbt_changelog_fail_after). Run again to recover.") -%}
{%- endif -%}
{{ return(result) }}
{%- endmacro %}
