{#-
  dbt run-operation stream_status: each changelog_stream model, where it runs now, and the last
  batch that it has committed. It only reads.
-#}
{% macro stream_status() -%}
{%- for node in dbt_changelog.changelog_nodes() if dbt_changelog.is_stream(node) -%}
{%- do dbt_changelog.check_can_stream(node) -%}
{%- set contents = dbt_changelog.contents_relation(node) -%}
{%- set tables = dbt_changelog.model_tables(node, contents) -%}
{%- set log = dbt_changelog.read_batch_log(tables.relations.batch_log) -%}
{%- set there = adapter.changelog_streams(dbt_changelog.checkpoint_location(
    dbt_changelog.model_where(node), node.config, tables.relations)) -%}
{%- set last = log.batch.position.get('stream') if log else none -%}
{%- do print(dbt_changelog.model_name(node) ~ ': '
    ~ ('runs in ' ~ there.running if there.running else 'does not run') ~ ', '
    ~ ('batch ' ~ log.batch.id if log else 'no batch')
    ~ (', micro-batch ' ~ last.value ~ ' of checkpoint ' ~ last.checkpoint if last else '')) -%}
{%- else -%}
{%- do print('No model of this project is a changelog_stream.') -%}
{%- endfor -%}
{%- endmacro %}
