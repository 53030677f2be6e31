{#- A row, or what was made of it, where its type is not that of another. -#}
{% macro same_columns_sql(row, other, converted) -%}
{{ return('identifier(if(typeof(' ~ row ~ ') = typeof(' ~ other ~ "), '" ~ row ~ "', '" ~ converted
          ~ "'))") }}
{%- endmacro %}
