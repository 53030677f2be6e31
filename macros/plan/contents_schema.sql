{#- The schema of a model's contents, which need not be that of its tables. A log is a table. -#}
{% macro contents_schema(node) -%}
{{ return(node.config.get('contents_schema') or node.schema
          if node.config.materialized == 'from_changelog' else node.schema) }}
{%- endmacro %}
