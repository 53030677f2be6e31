{#-
  What changes() reads, {name, relations}: the tables of the from_changelog model that a relation is
  of. Another kind of source, such as the change feed of a table, is chosen here too: it gives the
  relation with the columns of a changelog, and _batch_id.
-#}
{% macro change_source(where, relation) -%}
{%- for node in graph.nodes.values() if node.config.materialized == 'from_changelog'
    and node.alias | lower == relation.identifier | lower
    and dbt_changelog.contents_schema(node) | lower == relation.schema | lower -%}
{%- if not dbt_changelog.has_changelog(node) -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', "the model '" ~ node.name
    ~ "' has no changelog", 'set changelog=true there, and run it with --full-refresh if it has'
    ~ ' a state') -%}
{%- endif -%}
{%- do dbt_changelog.check_rows_before(where, model, node) if model -%}
{{ return(dict(dbt_changelog.model_tables(node, api.Relation.create(
    schema=relation.schema, identifier=relation.identifier)), name=node.name)) }}
{%- endfor -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', relation
    ~ ' is not a from_changelog model of this project',
    "write {{ dbt_changelog.changes(ref('customers')) }} of one with changelog=true; a query of"
    ~ ' any other relation is taken for a table, and its changes are found') -%}
{%- endmacro %}
