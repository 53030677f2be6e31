{#-
  Errors, each with what is wrong and a way out: of a config or a table, and in SQL, of a value.
-#}

{#- Every error of a config or a plan has this shape. -#}
{% macro raise_invalid(where, argument, problem, fix) -%}
{%- do dbt_changelog.raise_problem(
  "Invalid '" ~ argument ~ "' in " ~ where ~ ': ' ~ problem, fix) -%}
{%- endmacro %}

{#- An expression of a config in which Spark finds an error. over: the columns that it may name. -#}
{% macro refuse_expression(where, argument, sql, error, over) -%}
{%- do dbt_changelog.raise_invalid(where, argument, "Spark can not use '" ~ sql ~ "': " ~ error,
    'write an expression over ' ~ over) -%}
{%- endmacro %}

{#- The one place that raises. -#}
{% macro raise_problem(problem, fix) -%}
{%- do exceptions.raise_compiler_error(problem ~ '.\nTo fix: ' ~ fix ~ '.') -%}
{%- endmacro %}

{#-
  An error of a value, as SQL, in the same words. value: SQL text to show between the two; fix: SQL
  of the way out, where that depends on the value.
-#}
{% macro raise_error_sql(before, value=none, after='', fix='') -%}
{%- if value is none -%}
{{ return('raise_error(' ~ dbt_changelog.literal(before ~ after) ~ ')') }}
{%- endif -%}
{{ return('raise_error(concat(' ~ dbt_changelog.literal(before) ~ ', ' ~ value ~ ', '
          ~ dbt_changelog.literal(after) ~ (', ' ~ fix if fix) ~ '))') }}
{%- endmacro %}
