{#- The rows of a query as its state keeps them. The query may hold strings of several lines. -#}
{% macro query_rows_sql(plan) -%}
{%- set columns = [] -%}
{%- for column in plan.state_columns -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- do columns.append(name if column.type == column.given
    else 'cast(' ~ name ~ ' as ' ~ column.type ~ ') as ' ~ name) -%}
{%- endfor -%}
select
  {{ columns | join(',\n  ') }}
from (

{{ plan.query }}

) as query
{%- endmacro %}
