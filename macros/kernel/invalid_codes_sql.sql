{#- The unknown op codes of a batch and how many events have each. -#}
{% macro invalid_codes_sql(plan) -%}
with events as (

{{ plan.query }}

)

select {{ dbt_changelog.op_sql(plan) }} as op_code, count(*) as events
from events
where {{ dbt_changelog.op_sql(plan) }} not in (
  {{- dbt_changelog.literals(plan.op_mapping | map(attribute='code')) }})
group by op_code
order by op_code
{%- endmacro %}
