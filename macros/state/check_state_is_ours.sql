{#- A table that has our name but not our batch log belongs to someone else. -#}
{% macro check_state_is_ours(plan, log, exists) -%}
{%- if exists and log is none -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'alias', 'the table ' ~ plan.relations.log
    ~ ', which this model would write, exists and was not made by this package',
    'set another alias, or rename that table') -%}
{%- elif log and log.plan.uid != plan.uid -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'uid', 'the table ' ~ plan.relations.log
    ~ " belongs to uid '" ~ log.plan.uid ~ "', and this model has uid '" ~ plan.uid ~ "'",
    "set uid='" ~ log.plan.uid ~ "' if the model was renamed, or set another alias") -%}
{%- endif -%}
{%- endmacro %}
