{#- Table properties of a table that exists. -#}
{% macro set_properties_sql(relation, properties) -%}
alter table {{ relation }} set tblproperties (
  {{ dbt_changelog.properties_sql(properties) | indent(2) }}
)
{%- endmacro %}
