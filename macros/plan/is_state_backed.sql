{#-
  Whether the mapping needs what one event has not: was the key there, and how did it look.

  INSERT in a group, UPDATE_BEFORE without a before image of its own, or a state_ttl.
-#}
{% macro is_state_backed(plan) -%}
{%- if plan.state_ttl is not none -%}
{{ return(true) }}
{%- endif -%}
{%- set no_before = plan.before is none or plan.one_image -%}
{%- for entry in plan.op_mapping -%}
{%- set is_group = entry.kinds | length > 1 -%}
{%- if (is_group and ('INSERT' in entry.kinds or no_before))
    or (entry.kinds == ['UPDATE_BEFORE'] and plan.images and plan.before is none) -%}
{{ return(true) }}
{%- endif -%}
{%- endfor -%}
{{ return(false) }}
{%- endmacro %}
