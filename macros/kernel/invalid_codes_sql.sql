{#- The unknown op codes of a batch and how many events have each; of what arrived, if known. -#}
{% macro invalid_codes_sql(plan, batch) -%}
{%- set arrived = dbt_changelog.arrived_sql(plan, batch) -%}
with events as (

{{ plan.query }}

)

select {{ dbt_changelog.op_sql(plan) }} as op_code, count(*) as events
from events
where {{ dbt_changelog.op_sql(plan) }} not in (
  {{- dbt_changelog.literals(plan.op_mapping | map(attribute='code')) }})
{{- '\n  and coalesce(' ~ arrived ~ ', true)' if arrived not in [none, 'true'] }}
group by op_code
order by op_code
{%- endmacro %}
