{#- The row kinds that leave a row. -#}
{% macro live_kinds() -%}
{{ return(['INSERT', 'UPDATE_AFTER']) }}
{%- endmacro %}
