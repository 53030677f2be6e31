{#-
  on-run-start: the table of batches in every schema that a selected model of ours writes to, with
  the columns that one of an earlier version lacks. Here, where there is one thread: models that run
  at once would make it at once.
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
{%- for schema, found in formats | dictsort -%}
{%- set batches = dbt_changelog.batches_relation(
    api.Relation.create(schema=schema, identifier='any')) -%}
{%- if load_relation(batches) is none -%}
{%- do run_query(dbt_changelog.create_batches_sql(batches, found | sort | first)) -%}
{%- do adapter.cache_added(batches) -%}
{%- else -%}
{%- do dbt_changelog._add_columns(batches) -%}
{%- endif -%}
{%- endfor -%}
{%- endmacro %}

{% macro _add_columns(batches) -%}
{%- set found, added = dbt_changelog.describe_query('select * from ' ~ batches), [] -%}
{%- for column in dbt_changelog.batch_columns()
    if dbt_changelog.find_name(column.name, found | map(attribute='name')) is none -%}
{%- do added.append(column.name ~ ' ' ~ column.type) -%}
{%- endfor -%}
{%- do run_query('alter table ' ~ batches ~ ' add columns (' ~ added | join(', ') ~ ')')
    if added -%}
{%- endmacro %}
