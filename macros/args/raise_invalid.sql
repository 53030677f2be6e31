{#- Every error of a config or a plan has this shape. -#}
{% macro raise_invalid(where, argument, problem, fix) -%}
{%- do dbt_changelog.raise_problem(
  "Invalid '" ~ argument ~ "' in " ~ where ~ ': ' ~ problem, fix) -%}
{%- endmacro %}
