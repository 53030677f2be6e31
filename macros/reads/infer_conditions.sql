{#-
  Whether Spark infers further conditions from those of a query. What is wrong with an event is one
  condition over all columns of its row, and with twenty columns Spark would never end.
-#}
{% macro infer_conditions(wanted) -%}
{%- set name = 'spark.sql.constraintPropagation.enabled' -%}
{#- some servers let nobody set it -#}
{%- do dbt_changelog.attempt('reset ' ~ name if wanted else 'set ' ~ name ~ ' = false') -%}
{%- endmacro %}
