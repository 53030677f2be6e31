{#- The columns of a state that a full refresh replaces, as the columns of the plan. -#}
{% macro old_columns_sql(plan, batch) -%}
{%- set stored, columns = batch.old_columns | map(attribute='name') | list, [] -%}
{%- for column in plan.state_columns -%}
{%- set found = dbt_changelog.find_name(column.name, stored) -%}
{%- do columns.append('cast(' ~ (dbt_changelog.quote(found) if found else 'null') ~ ' as '
    ~ column.type ~ ') as ' ~ dbt_changelog.quote(column.name)) -%}
{%- endfor -%}
{{ return(columns | join(',\n')) }}
{%- endmacro %}
