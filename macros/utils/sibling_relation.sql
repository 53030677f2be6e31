{#- A table of ours beside a model: `customers` has `customers__state`. -#}
{% macro sibling_relation(relation, name) -%}
{%- set identifier = relation.identifier ~ '__' ~ name -%}
{{ return(relation.incorporate(path={'identifier': identifier}, type='table')) }}
{%- endmacro %}
