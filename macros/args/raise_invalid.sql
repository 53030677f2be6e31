{#- Every error of a config or a plan is raised here, so all have one shape. -#}
{% macro raise_invalid(where, argument, problem, fix) -%}
{%- do exceptions.raise_compiler_error(
  "Invalid '" ~ argument ~ "' in " ~ where ~ ': ' ~ problem ~ '.\nTo fix: ' ~ fix ~ '.'
) -%}
{%- endmacro %}
