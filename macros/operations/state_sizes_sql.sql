{#-
  A row of counts per model whose state is there. Parquet has another state after each run, so
  these are the sizes of now: for a table, not for a view.
-#}
{% macro state_sizes_sql() -%}
{%- set queries = [] -%}
{%- for node in dbt_changelog.changelog_nodes() -%}
{%- set contents = api.Relation.create(
    schema=dbt_changelog.contents_schema(node), identifier=node.alias) -%}
{#- without contents even the schema of the state may be missing -#}
{%- if load_relation(contents) is not none -%}
{%- set tables = dbt_changelog.model_tables(node, contents) -%}
{%- do queries.append(dbt_changelog.state_size_sql(node, tables))
    if dbt_changelog.table_exists(tables.relations.state) -%}
{%- endif -%}
{%- endfor -%}
{{ return(queries | join('\nunion all\n') or dbt_changelog.no_rows_sql([
  {'name': 'schema_name', 'type': 'string'},
  {'name': 'model', 'type': 'string'},
  {'name': 'uid', 'type': 'string'},
  {'name': 'state_rows', 'type': 'bigint'},
  {'name': 'live_rows', 'type': 'bigint'},
  {'name': 'tombstones', 'type': 'bigint'},
  {'name': 'waiting_rows', 'type': 'bigint'},
])) }}
{%- endmacro %}
