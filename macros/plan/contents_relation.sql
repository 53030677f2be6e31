{#- The contents of a model, for operations, which have no `this`. -#}
{% macro contents_relation(node) -%}
{{ return(api.Relation.create(
    schema=node.config.get('contents_schema') or node.schema, identifier=node.alias)) }}
{%- endmacro %}
