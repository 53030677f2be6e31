{#- How a table beside the state is stored: in the model's location_root, without its layout. -#}
{% macro sibling_storage(plan) -%}
{{ return({
  'location_root': plan.state.location_root,
  'properties': {},
  'partition_by': [],
  'cluster_by': [],
}) }}
{%- endmacro %}
