{#- A state that a later version of this package wrote may say what this one does not know. -#}
{% macro check_version(plan, log) -%}
{%- if log.plan.version > plan.version -%}
{%- do dbt_changelog.raise_problem('The table ' ~ plan.relations.log ~ ' of ' ~ plan.where
    ~ ' has plan version ' ~ log.plan.version ~ ', and this version of dbt_changelog writes '
    ~ plan.version, 'install the version of dbt_changelog that wrote it, or a later one') -%}
{%- endif -%}
{%- endmacro %}
