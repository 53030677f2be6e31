{#- The name as the list spells it, or none. Names match as in Spark: without regard to case. -#}
{% macro find_name(name, names) -%}
{%- for candidate in names if candidate | lower == name | lower -%}
{{ return(candidate) }}
{%- endfor -%}
{{ return(none) }}
{%- endmacro %}
