{#- The columns of a relation under test with these names, as sum_weights_sql takes them. -#}
{% macro described_columns(model, names) -%}
{%- set query, columns = 'select * from ' ~ model, [] -%}
{%- for column in dbt_changelog.describe_query(query)
    if dbt_changelog.find_name(column.name, names) is not none -%}
{%- do columns.append(dict(column, parts=dbt_changelog.column_parts(query, column))) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}
