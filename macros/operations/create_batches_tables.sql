{#-
  on-run-start: the table of batches in every schema that a selected model of ours writes to. Here,
  where there is one thread: models that run at once would make it at once.
-#}
{% macro create_batches_tables() -%}
{%- set formats = {} -%}
{%- for node in dbt_changelog.changelog_nodes()
    if flags.WHICH in ['run', 'build', 'retry'] and node.unique_id in selected_resources -%}
{#- with contents_schema dbt has made the schema of the contents only -#}
{%- do run_query('create schema if not exists ' ~ node.schema)
    if dbt_changelog.contents_schema(node) != node.schema
    and node.schema not in formats -%}
{%- do formats.setdefault(node.schema, []).append(dbt_changelog.model_file_format(node)) -%}
{%- endfor -%}
{%- for schema, wanted in formats | dictsort -%}
{%- set batches = dbt_changelog.batches_relation(
    api.Relation.create(schema=schema, identifier='any')) -%}
{%- if load_relation(batches) is none -%}
{#- a model whose format can not be here says so itself -#}
{%- set held = dbt_changelog.catalog(schema).formats or dbt_changelog.file_formats() -%}
{%- set found = wanted | select('in', held) | sort -%}
{#- asked again: what another run has made since is not replaced -#}
{%- do run_query(dbt_changelog.create_batches_sql(batches, found[0]))
    if found and not dbt_changelog.table_exists(batches) -%}
{%- do adapter.cache_added(batches) if found -%}
{%- endif -%}
{%- endfor -%}
{%- endmacro %}
