{#- Whether an event can move its row to another key: it has both images, and both have the key. -#}
{% macro has_moves(plan) -%}
{%- set kinds = dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- if not plan.unique_key or plan.before is none or plan.after is none or plan.one_image
    or 'UPDATE_AFTER' not in kinds -%}
{{ return(false) }}
{%- endif -%}
{%- for name in plan.unique_key if plan.columns -%}
{%- if dbt_changelog.find_name(name, plan.columns.before | map(attribute='name')) is none -%}
{{ return(false) }}
{%- endif -%}
{%- endfor -%}
{{ return(true) }}
{%- endmacro %}
