{#-
  All columns of the events but those of the op code and the sequence that have a name which we give
  them anew.
-#}
{% macro input_star_sql(plan) -%}
{%- set renewed = [] -%}
{%- for name in [plan.op] + plan.sequence_names
    if dbt_changelog.find_name(name, ['_row_kind', '_sequence']) is not none -%}
{%- do renewed.append(name) -%}
{%- endfor -%}
{{ return('* except (' ~ dbt_changelog.csv(renewed) ~ ')' if renewed else '*') }}
{%- endmacro %}
