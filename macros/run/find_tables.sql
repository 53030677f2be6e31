{#-
  What is there of a model, each thing asked once: {exists, log, properties, staged, state,
  changelog, changelog_format, row, partitions, view_text, views, names}. exists: the table with the
  batch log is there; log: that log, none where there is none; properties: all those of that table;
  staged: what the staging table says of its batch; state, changelog: their columns, none where the
  table is not there; row: the columns of the rows of an event table; partitions: the columns by
  which the table with the batch log is partitioned; views: the queries of the views that are there,
  by name.
-#}
{% macro find_tables(plan) -%}
{%- set relations, refreshes = plan.relations,
    dbt_changelog.is_remembered(plan.storage.file_format) -%}
{%- set is_event_table = plan.function == 'to_changelog' -%}
{%- set listed = dbt_changelog.known_tables(relations.home,
    none if is_event_table else relations.contents) -%}
{%- set names = listed.names -%}
{%- set exists = relations.batch_log.identifier | lower in names -%}
{%- set found = dbt_changelog.known_table(relations.batch_log, refreshes) if exists else none -%}
{%- set log = dbt_changelog.parse_batch_log(found.properties) if found else none -%}
{#- up to this batch a key has one row: up to the last one, unless batches are appended -#}
{%- set log = dict({'compacted': log.batch.id}, **log) if log else none -%}
{%- set has_staged = plan.stages and relations.staged.identifier | lower in names -%}
{%- set has_changelog = plan.function == 'from_changelog' and plan.changelog
    and relations.changelog.identifier | lower in names -%}
{%- set changelog = dbt_changelog.described_table(relations.changelog, refreshes)
    if has_changelog else none -%}
{%- set by_view = not is_event_table
    and not dbt_changelog.format_of(plan.storage.file_format).merges -%}
{{ return({
  'names': names,
  'exists': exists,
  'log': log,
  'properties': found.properties if found else {},
  'staged': dbt_changelog.parse_batch_log(dbt_changelog.table_properties(relations.staged))
    if has_staged else none,
  'state': none if relations.state.identifier | lower not in names
    else dbt_changelog.describe_columns('select * from ' ~ relations.state) if is_event_table
    else dbt_changelog._columns_of(relations.state, found),
  'changelog': dbt_changelog._columns_of(relations.changelog, changelog) if changelog else none,
  'changelog_format': dbt_changelog.format_of_table(changelog.properties) if changelog else none,
  'row': dbt_changelog._row_columns(plan, found) if is_event_table and log else none,
  'partitions': found.partitions if found else none,
  'view_text': dbt_changelog.view_text(relations.contents) if by_view else none,
  'views': listed.views,
}) }}
{%- endmacro %}

{#- The columns of a table that was described, with what is inside nested ones. -#}
{% macro _columns_of(relation, described) -%}
{{ return(dbt_changelog.described_columns('select * from ' ~ relation, described.columns)) }}
{%- endmacro %}

{#- The columns that rows have in an event table: of its images, or beside the op code. -#}
{% macro _row_columns(plan, described) -%}
{%- set columns = dbt_changelog._columns_of(plan.relations.batch_log, described) -%}
{%- if not plan.images -%}
{{ return(columns | rejectattr('name', 'equalto', plan.op) | list) }}
{%- endif -%}
{#- without such an image the stored plan is another one, and refused -#}
{%- set images = columns | selectattr('name', 'equalto', plan.after or plan.before) | list -%}
{{ return((images[0].parts or [] if images else [])
          + columns | selectattr('name', 'in', plan.passthrough) | list) }}
{%- endmacro %}
