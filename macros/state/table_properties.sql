{#- The properties of a table that is there, {name: value}, now: not as Spark remembers it. -#}
{% macro table_properties(relation) -%}
{%- do run_query('refresh table ' ~ relation) -%}
{%- set properties = {} -%}
{%- for row in run_query('show tblproperties ' ~ relation) -%}
{%- do properties.update({row[0]: row[1] | string}) -%}
{%- endfor -%}
{{ return(properties) }}
{%- endmacro %}
