{#- The contents: what lives in the state, with just the user's columns. -#}
{% macro contents_sql(plan) -%}
select
  {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') }}
from {{ plan.relations.state }}
where {{ dbt_changelog.kernel_macros(plan).is_live }}
{%- endmacro %}
