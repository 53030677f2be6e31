{#- Where a part of a nested column is: a field of a struct; in a lambda, an item or half an entry. -#}
{% macro part_sql(place, column, part) -%}
{{ return({
  'struct': place ~ '.' ~ dbt_changelog.quote(part.name),
  'array': 'item',
  'map': 'item.' ~ part.name,
}[column.type.split('<')[0]]) }}
{%- endmacro %}
