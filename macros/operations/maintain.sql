{#-
  dbt run-operation maintain --args '{model: customers}': what the owner of a table does now and
  then, for all tables of a model and the table of batches beside them. Small files become larger
  ones, and files that no version needs any more go, after the retention of their format.

  sort: the state is also put in the order of its key, as a full refresh does, so that a batch in a
  part of the keys writes few files again. dry_run: the statements are only printed.
-#}
{% macro maintain(model, sort=false, dry_run=false) -%}
{%- set node = dbt_changelog.find_model(model, ['from_changelog', 'to_changelog']) -%}
{%- set plan = dbt_changelog.stored_plan(node) -%}
{%- do dbt_changelog.parse_flag(plan.where, 'sort', sort) -%}
{%- do dbt_changelog.parse_flag(plan.where, 'dry_run', dry_run) -%}
{%- set ran = [] -%}
{%- for table in dbt_changelog._kept_tables(plan) -%}
{%- for sql in dbt_changelog._upkeep_of(plan, table, sort) -%}
{%- do print(sql ~ ';') -%}
{%- do run_query(sql) if not dry_run -%}
{%- do ran.append(sql) -%}
{%- endfor -%}
{%- endfor -%}
{%- do print('Nothing to do: on ' ~ dbt_changelog.format_of(plan.storage.file_format).name
    ~ ' each run writes a new state and drops the one before') if not ran -%}
{%- do print('Nothing was run') if ran and dry_run -%}
{%- endmacro %}

{#- The tables that grow: the staging table of a batch is replaced, but leaves its old versions. -#}
{% macro _kept_tables(plan) -%}
{%- set tables, batches = [], dbt_changelog.batches_relation(plan.relations.state) -%}
{%- for name in ['state', 'changelog', 'staged'] if name in plan.columns -%}
{%- do tables.append(plan.relations[name]) -%}
{%- endfor -%}
{%- for table in [plan.relations.late, batches] if dbt_changelog.table_exists(table) -%}
{%- do tables.append(table) -%}
{%- endfor -%}
{{ return(tables) }}
{%- endmacro %}

{#- The statements for a table, by its own format. -#}
{% macro _upkeep_of(plan, table, sort) -%}
{%- set sorts = sort and table == plan.relations.state -%}
{%- set properties = dbt_changelog.table_properties(table) -%}
{%- set format = dbt_changelog.format_of(dbt_changelog.format_of_table(properties)) -%}
{{ return([] if format.upkeep is none else format.upkeep({
  'name': table | string,
  'properties': properties,
  'sorted_by': plan.unique_key if sorts else [],
  'partition_by': dbt_changelog.described_table(table, false).partitions if sorts
    else [],
})) }}
{%- endmacro %}
