{#- The payload as decode gives it, for what needs its columns and no rows. -#}
{% macro decoded_payload_sql(plan) -%}
select
  {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') }}
from (
  {{ dbt_changelog.decode_sql(plan, '(\n' ~ plan.query ~ '\n) as events') | indent(2) }}
)
where false
{%- endmacro %}
