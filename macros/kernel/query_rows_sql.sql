{#- The rows of a query as its state keeps them. The query may hold strings of several lines. -#}
{% macro query_rows_sql(plan) -%}
select
  {{ dbt_changelog.state_columns_sql(plan) | indent(2) }}
from (

{{ plan.query }}

) as query
{%- endmacro %}
