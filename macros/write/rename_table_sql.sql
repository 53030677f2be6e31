{#- A table under another name of its schema, which Spark wants without the catalog. -#}
{% macro rename_table_sql(relation, new) -%}
{%- set schema = new.schema.split('.', 1)[-1] -%}
alter table {{ relation }} rename to {{ new.incorporate(path={'schema': schema}) }}
{%- endmacro %}
