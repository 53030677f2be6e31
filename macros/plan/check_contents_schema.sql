{#- The contents are a view: their catalog must have views, and dbt must look for them there. -#}
{% macro check_contents_schema(where, node, relation, catalog) -%}
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
