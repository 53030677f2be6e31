{#- The columns of a query as a log and its state keep them. -#}
{% macro state_columns_sql(plan) -%}
{%- set columns = [] -%}
{%- for column in plan.state_columns -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- do columns.append(dbt_changelog.plain_column_sql(column.name, [column])
    if column.type == column.given else 'cast(' ~ name ~ ' as ' ~ column.type ~ ') as ' ~ name) -%}
{%- endfor -%}
{{ return(columns | join(',\n')) }}
{%- endmacro %}
