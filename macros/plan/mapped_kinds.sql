{#- The row kinds that an op mapping can give. -#}
{% macro mapped_kinds(op_mapping) -%}
{%- set kinds = [] -%}
{%- for entry in op_mapping -%}
{%- do kinds.extend(entry.kinds) -%}
{%- endfor -%}
{{ return(kinds | unique | list) }}
{%- endmacro %}
