{#-
  The catalogs of a model's tables and of its contents can hold them. Where they are there, nothing
  need be asked.
-#}
{% macro check_catalogs(where, node, relation) -%}
{%- do return('') if dbt_changelog._are_held(node, relation) -%}
{%- set catalog = dbt_changelog.catalog(node.schema) -%}
{%- do dbt_changelog._check_file_format(where, node, catalog) -%}
{%- if dbt_changelog.model_function(node) == 'from_changelog' -%}
{%- do dbt_changelog._check_contents_schema(where, node, relation,
    catalog if relation.schema == node.schema else dbt_changelog.catalog(relation.schema)) -%}
{%- endif -%}
{%- endmacro %}

{% macro _are_held(node, relation) -%}
{%- set listed, is_event_table = dbt_changelog.tables_of_model(node, relation),
    dbt_changelog.model_function(node) == 'to_changelog' -%}
{%- set table = relation if is_event_table else dbt_changelog.sibling_relation(relation, 'state')
-%}
{{ return(listed.formats.get(table.identifier | lower) == dbt_changelog.model_file_format(node)
          and (is_event_table or (relation.schema == node.schema
                                  and relation.identifier | lower in listed.views))) }}
{%- endmacro %}

{#-
  The catalog of a model's tables must hold its file format: some accept another format without an
  error, and write their own.
-#}
{% macro _check_file_format(where, node, catalog) -%}
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

{#- The contents are a view: their catalog must have views, and dbt must look for them there. -#}
{% macro _check_contents_schema(where, node, relation, catalog) -%}
{%- set schema = node.config.get('contents_schema') -%}
{%- if schema is not none and (schema is not string or not schema) -%}
{%- do dbt_changelog.raise_invalid(where, 'contents_schema', "'" ~ schema
    ~ "' is not the name of a schema", "write it like contents_schema='analytics'") -%}
{%- elif relation.schema != (schema or node.schema) -%}
{%- do dbt_changelog.raise_invalid(where, 'contents_schema', 'without the pip module of this'
    ~ ' package ref() would look for the contents in ' ~ relation.schema,
    "pip install it in dbt's Python environment, as the README says") -%}
{%- elif not catalog.has_views -%}
{%- do dbt_changelog.raise_invalid(where, 'contents_schema', 'the catalog of ' ~ relation.schema
    ~ ' has no views, and a model of this kind is a view over its state',
    "name a schema of a catalog that has them, for example contents_schema='analytics'") -%}
{%- endif -%}
{%- endmacro %}
