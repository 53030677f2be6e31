{#- A model as people and --args name it: one that has versions with its own, as in cust_v.v2. -#}
{% macro model_name(node) -%}
{%- set version = node.get('version') -%}
{{ return(node.name ~ ('.v' ~ version if version is not none else '')) }}
{%- endmacro %}
