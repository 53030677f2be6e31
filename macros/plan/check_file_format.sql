{#- The catalog of a model's tables must hold its file format: some only seem to take others. -#}
{% macro check_file_format(where, node, catalog) -%}
{%- set file_format, formats = dbt_changelog.model_file_format(node), catalog.formats -%}
{%- if formats is none or file_format in formats -%}
{{ return(none) }}
{%- endif -%}
{%- set setting, delta = 'spark.sql.catalog.' ~ catalog.name,
    'org.apache.spark.sql.delta.catalog.DeltaCatalog' -%}
{%- set other = "set file_format='" ~ formats | join("' or file_format='") ~ "'" -%}
{%- if file_format == 'delta' and catalog.implementation is none -%}
{%- do dbt_changelog.raise_invalid(where, 'file_format', 'delta needs settings of Spark, and '
    ~ setting ~ ' is not set', 'give Spark the jars of Delta, ' ~ setting ~ '=' ~ delta
    ~ ' and spark.sql.extensions=io.delta.sql.DeltaSparkSessionExtension, or ' ~ other) -%}
{%- endif -%}
{%- do dbt_changelog.raise_invalid(where, 'file_format', 'it is ' ~ file_format
    ~ ', and the catalog ' ~ catalog.name ~ ' holds ' ~ formats | join(' or ') ~ ' tables: '
    ~ setting ~ ' is ' ~ (catalog.implementation or 'not set'),
    other ~ ', or name a schema of a catalog that holds ' ~ file_format ~ ' tables') -%}
{%- endmacro %}
