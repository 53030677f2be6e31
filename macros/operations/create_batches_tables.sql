{#-
  on-run-start: the table of batches in every schema that a selected model of ours writes to. Here,
  where there is one thread: models that run at once would make it at once.
-#}
{% macro create_batches_tables() -%}
{%- set done = [] -%}
{%- for node in (graph.nodes.values() if execute else [])
    if flags.WHICH in ['run', 'build', 'retry']
    and node.config.materialized == 'from_changelog'
    and node.unique_id in selected_resources and node.schema not in done -%}
{%- do done.append(node.schema) -%}
{%- set batches = dbt_changelog.batches_relation(
    api.Relation.create(schema=node.schema, identifier=node.alias)) -%}
{%- if load_relation(batches) is none -%}
{%- do run_query(dbt_changelog.create_batches_sql(batches)) -%}
{%- do adapter.cache_added(batches) -%}
{%- endif -%}
{%- endfor -%}
{%- endmacro %}
