{#- The columns of a to_changelog model's table, as Spark's analysis finds them. -#}
{% macro event_columns(plan, file_format) -%}
{%- set columns = [] -%}
{%- for column in dbt_changelog.describe_columns(dbt_changelog.no_events_sql(plan)) -%}
{%- do columns.append(
    dict(column, type=dbt_changelog.stored_type(file_format, column.type))) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}
