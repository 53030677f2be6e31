{#- The table that keeps the state of a model: `customers` has `customers__state`. -#}
{% macro state_relation(relation) -%}
{%- set identifier = relation.identifier ~ '__state' -%}
{{ return(relation.incorporate(path={'identifier': identifier}, type='table')) }}
{%- endmacro %}
