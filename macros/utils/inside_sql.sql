{#- A query of what a nested column of a query has inside: fields, items, or key and value. -#}
{% macro inside_sql(query, column) -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- set inside = {'struct': name ~ '.*', 'array': 'explode(' ~ name ~ ') as item',
                  'map': 'explode(' ~ name ~ ') as (key, value)'}[column.type.split('<')[0]] -%}
{{ return('select ' ~ inside ~ ' from (\n' ~ query ~ '\n)') }}
{%- endmacro %}
