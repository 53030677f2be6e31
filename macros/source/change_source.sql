{#-
  What changes() reads, {name, relations}: the tables of the from_changelog model that a relation is
  of; none of any other relation, which must be a table that knows its own changes.
-#}
{% macro change_source(where, relation) -%}
{%- for node in dbt_changelog._places()
    if node.alias | lower == relation.identifier | lower
    and dbt_changelog.contents_schema(node) | lower == relation.schema | lower -%}
{%- if not dbt_changelog.has_changelog(node) -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', "the model '" ~ dbt_changelog.model_name(node)
    ~ "' has no changelog", 'set changelog=true there, and run it with --full-refresh if it has'
    ~ ' a state') -%}
{%- endif -%}
{%- do dbt_changelog.check_rows_before(where, model, node) if model -%}
{{ return(dict(dbt_changelog.model_tables(node, api.Relation.create(
    schema=relation.schema, identifier=relation.identifier)),
    name=dbt_changelog.model_name(node))) }}
{%- endfor -%}
{{ return(none) }}
{%- endmacro %}

{#- The from_changelog models, as they are here and, under --defer, where dbt takes them from. -#}
{% macro _places() -%}
{%- set places = [] -%}
{%- for node in graph.nodes.values() if node.config.materialized == 'from_changelog' -%}
{%- do places.append(node) -%}
{%- set other = node.get('defer_relation') -%}
{%- do places.append(dict(node, schema=other.schema, alias=other.alias,
                          config=other.config or node.config)) if other -%}
{%- endfor -%}
{{ return(places) }}
{%- endmacro %}
