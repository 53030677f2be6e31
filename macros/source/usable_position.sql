{#- The last position, if it is of the column that is read now; else none: all rows are read. -#}
{% macro usable_position(last, next) -%}
{{ return(last if last and last.column == next.column and last.type == next.type else none) }}
{%- endmacro %}
