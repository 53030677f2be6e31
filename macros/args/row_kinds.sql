{#- The four row kinds in the order in which they win at equal sequence. -#}
{% macro row_kinds() -%}
{{ return(['UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER']) }}
{%- endmacro %}
