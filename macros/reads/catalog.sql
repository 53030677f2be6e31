{#-
  The catalog of a schema, as far as its settings tell: {name, implementation, formats, has_views}.
  implementation: none where the session's own is not replaced. formats: what its tables can be;
  none: not known, so any is tried. Iceberg's catalogs of the types hadoop and glue have no views.
-#}
{% macro catalog(schema) -%}
{%- set name = schema.split('.')[0] if '.' in schema
    else run_query('show current namespace').rows[0][0] -%}
{%- set is_session, values = name == 'spark_catalog', [] -%}
{%- for key in ([''] if is_session else ['', '.type', '.catalog-impl']) -%}
{%- do values.append(
    run_query('set `spark.sql.catalog.' ~ name ~ key ~ '`').rows[0][1] | string) -%}
{%- endfor -%}
{%- set implementation = none if values[0] in ['<undefined>', 'builtin'] else values[0] -%}
{{ return({
  'name': name,
  'implementation': implementation,
  'formats': ['parquet'] if is_session and implementation is none else {
    'org.apache.spark.sql.delta.catalog.DeltaCatalog': ['delta', 'parquet'],
    'org.apache.iceberg.spark.SparkCatalog': ['iceberg'],
    'org.apache.iceberg.spark.SparkSessionCatalog': ['iceberg', 'parquet'],
  }.get(implementation),
  'has_views': modules.re.search('hadoop|glue', values[1:] | join(' ') | lower) is none,
}) }}
{%- endmacro %}
