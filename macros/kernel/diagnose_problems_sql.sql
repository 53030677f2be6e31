{#- The problems of an event as an array of texts, empty where nothing is wrong. -#}
{% macro diagnose_problems_sql(plan) -%}
{%- set checks = dbt_changelog.diagnose_checks_sql(plan) -%}
case
{%- for check in checks[:2] %}
  when {{ check.condition }} then array({{ check.problem }})
{%- endfor %}
  else array_compact(array(
{%- for check in checks[2:] %}
    if({{ check.condition }}, {{ check.problem }}, null){{ ',' if not loop.last }}
{%- endfor %}
  ))
end
{%- endmacro %}
