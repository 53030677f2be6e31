{#- The one place that raises: what is wrong, and the way out. -#}
{% macro raise_problem(problem, fix) -%}
{%- do exceptions.raise_compiler_error(problem ~ '.\nTo fix: ' ~ fix ~ '.') -%}
{%- endmacro %}
