{#-
  Whether the catalog of a schema has views, as far as its settings tell: Iceberg's catalogs of the
  types hadoop and glue have none.
-#}
{% macro has_views(schema) -%}
{%- set catalog = schema.split('.')[0] if '.' in schema
    else run_query('show current namespace').rows[0][0] -%}
{%- set kinds = [] -%}
{%- for name in ['type', 'catalog-impl'] if catalog != 'spark_catalog' -%}
{%- set setting = run_query('set `spark.sql.catalog.' ~ catalog ~ '.' ~ name ~ '`') -%}
{%- do kinds.append(setting.rows[0][1] | lower) -%}
{%- endfor -%}
{{ return(not modules.re.search('hadoop|glue', kinds | join(' '))) }}
{%- endmacro %}
