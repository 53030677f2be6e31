{#- No rows, with the columns of a changelog; under --empty its model may not have made it yet. -#}
{% macro no_changes_sql(relation, changelog) -%}
(
{%- if dbt_changelog.table_exists(changelog) %}
  select * from {{ changelog }}
{%- else %}
  {{ dbt_changelog.rows_as_changes_sql(relation) | indent(2) }}
{%- endif %}
  where false
)
{%- endmacro %}
