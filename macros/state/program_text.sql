{#- A program as one readable text. -#}
{% macro program_text(program) -%}
{%- set parts = [] -%}
{%- for statement in program -%}
{%- do parts.append('-- ' ~ statement.name ~ '\n' ~ statement.sql ~ ';\n') -%}
{%- endfor -%}
{{ return(parts | join('\n')) }}
{%- endmacro %}
