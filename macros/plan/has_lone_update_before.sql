{#- Whether a code gives UPDATE_BEFORE and nothing else: only then is it a change of its own. -#}
{% macro has_lone_update_before(plan) -%}
{%- set alone = plan.op_mapping | selectattr('kinds', 'equalto', ['UPDATE_BEFORE']) -%}
{{ return(alone | list | length > 0) }}
{%- endmacro %}
