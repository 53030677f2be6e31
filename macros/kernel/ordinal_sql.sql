{#- Orders the rows of equal sequence: UPDATE_AFTER comes after UPDATE_BEFORE. -#}
{% macro ordinal_sql(plan) -%}
{%- set codes = dbt_changelog.codes_with(plan.op_mapping, ['UPDATE_AFTER']) -%}
{{ return('if(' ~ dbt_changelog.op_sql(plan) ~ ' in (' ~ dbt_changelog.literals(codes)
          ~ '), 1, 0)' if codes else '0') }}
{%- endmacro %}
