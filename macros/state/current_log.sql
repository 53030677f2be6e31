{#- The batch log of a model, now: another run may have committed since this one began. -#}
{% macro current_log(plan) -%}
{%- set relations = plan.relations -%}
{{ return(dbt_changelog.read_batch_log(
    relations.log if plan.function == 'to_changelog'
    else dbt_changelog.current_state(relations.contents, relations.home))) }}
{%- endmacro %}
