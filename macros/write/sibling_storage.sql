{#- How a table beside the state is stored: in the model's location_root, without its layout. -#}
{% macro sibling_storage(plan, name) -%}
{%- set root = plan.state.location_root -%}
{{ return({
  'location': root ~ '/' ~ plan.relations[name].identifier if root else none,
  'required': plan.state.required,
  'properties': {},
  'partition_by': [],
  'cluster_by': [],
}) }}
{%- endmacro %}
