{#- Where a table beside the state lies, when the model has a location_root. -#}
{% macro sibling_location(plan, name) -%}
{%- set root = plan.state.location_root -%}
{{ return(root ~ '/' ~ plan.relations[name].identifier if root else none) }}
{%- endmacro %}
