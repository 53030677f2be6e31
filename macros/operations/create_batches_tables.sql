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
{%- for schema, wanted in formats | dictsort -%}
{%- set batches = dbt_changelog.batches_relation(
    api.Relation.create(schema=schema, identifier='any')) -%}
{%- if load_relation(batches) is none -%}
{%- do dbt_changelog._create(batches, wanted) -%}
{%- else -%}
{%- do dbt_changelog._add_columns(batches) -%}
{%- endif -%}
{%- endfor -%}
{%- endmacro %}

{#- A model whose format can not be there says so itself. -#}
{% macro _create(batches, wanted) -%}
{%- set held = dbt_changelog.catalog(batches.schema).formats or dbt_changelog.file_formats() -%}
{%- set found = wanted | select('in', held) | sort -%}
{#- asked again: what another run has made since is not replaced -#}
{%- set sql = dbt_changelog._create_batches_sql(batches, found[0])
    if found and not dbt_changelog.table_exists(batches) else none -%}
{%- set made = dbt_changelog._try(batches, sql) if sql else found -%}
{%- do dbt_changelog.tell_dbt(batches) if made -%}
{%- endmacro %}

{% macro _add_columns(batches) -%}
{%- set described, found, added = dbt_changelog.attempt(
    'describe query select * from ' ~ batches), [], [] -%}
{%- if described.error -%}
{#- a table that can't be read is to all models as one that is not there -#}
{%- do adapter.cache_dropped(batches) -%}
{{ return(dbt_changelog._warn_of_table(batches, described.error)) }}
{%- endif -%}
{%- for row in described.table -%}
{%- do found.append(row[0]) -%}
{%- endfor -%}
{%- for column in dbt_changelog.batch_columns()
    if dbt_changelog.find_name(column.name, found) is none -%}
{%- do added.append(column.name ~ ' ' ~ column.type) -%}
{%- endfor -%}
{%- do dbt_changelog._try(batches, 'alter table ' ~ batches ~ ' add columns ('
    ~ added | join(', ') ~ ')') if added -%}
{%- endmacro %}

{#- Whether a statement that the table needs has succeeded; no model fails because of it. -#}
{% macro _try(batches, sql) -%}
{%- set outcome = dbt_changelog.attempt(sql) -%}
{%- do dbt_changelog._warn_of_table(batches, outcome.error) if outcome.error -%}
{{ return(not outcome.error) }}
{%- endmacro %}

{% macro _warn_of_table(batches, error) -%}
{%- do exceptions.warn('The table ' ~ batches ~ ' could not be made, read or changed: ' ~ error
    ~ '. The models run all the same; their batches may have no row in it.'
    ~ ' To fix: drop or rename what is there; the next run makes the table.') -%}
{%- endmacro %}

{#-
  A row per committed batch, counters where they were counted. A process that was killed while it
  made the table left files, which Spark takes for those of another: a format that can replace a
  table does so, for a query, since Delta takes such a place for no other; else it lies in a folder
  of its own, beside the other tables of the schema.
-#}
{% macro _create_batches_sql(batches, file_format) -%}
{%- set columns = dbt_changelog.batch_columns() -%}
{%- if dbt_changelog.format_of(file_format).merges -%}
create or replace table {{ batches }}
using {{ file_format }}
as
{{ dbt_changelog.no_rows_sql(columns) }}
{%- else -%}
create table if not exists {{ batches }} (
{%- for column in columns %}
  {{ column.name }} {{ column.type }}{{ ',' if not loop.last }}
{%- endfor %}
)
using {{ file_format }}
location {{ dbt_changelog.literal(batches.identifier ~ '_' ~ invocation_id) }}
{%- endif -%}
{%- endmacro %}
