{#- The schema of a model's contents, which need not be that of its tables. -#}
{% macro contents_schema(node) -%}
{{ return(node.config.get('contents_schema') or node.schema) }}
{%- endmacro %}
