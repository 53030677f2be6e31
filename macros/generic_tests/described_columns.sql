{#- The columns of a relation under test with these names, as sum_weights_sql takes them. -#}
{% macro described_columns(model, names) -%}
{%- set columns = [] -%}
{%- for column in dbt_changelog.describe_columns('select * from ' ~ model)
    if dbt_changelog.find_name(column.name, names) is not none -%}
{%- do columns.append(column) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}
