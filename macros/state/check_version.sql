{#-
  A state that a later version of this package wrote may say what this one does not know, and one of
  an earlier version may lack what this one reads.
-#}
{% macro check_version(plan, log) -%}
{%- if log.plan.version != plan.version -%}
{%- do dbt_changelog.raise_problem('The table ' ~ plan.relations.log ~ ' of ' ~ plan.where
    ~ ' has plan version ' ~ log.plan.version ~ ', and this version of dbt_changelog has '
    ~ plan.version, 'install the version of dbt_changelog that wrote it, or a later one'
    if log.plan.version > plan.version else 'run with --full-refresh to build the state anew'
    if plan.function == 'from_changelog' else 'rename or drop it and ' ~ plan.relations.state
    ~ ', start its consumers anew, and run again') -%}
{%- endif -%}
{%- endmacro %}
