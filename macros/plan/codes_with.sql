{#- The op codes that give one of these row kinds. -#}
{% macro codes_with(op_mapping, kinds) -%}
{%- set codes = [] -%}
{%- for entry in op_mapping if entry.kinds | select('in', kinds) | list -%}
{%- do codes.append(entry.code) -%}
{%- endfor -%}
{{ return(codes) }}
{%- endmacro %}
