{#- How far this model has read a relation: none before its first batch, and in a full refresh. -#}
{% macro last_position(relation) -%}
{{ return(dbt_changelog.last_read(relation).position) }}
{%- endmacro %}

{#- The same, with what the source was known by: {position, stamp}. -#}
{% macro last_read(relation) -%}
{%- set name, batch = relation | string, {'position': {}} if should_full_refresh()
    else dbt_changelog._last_batch(dbt_changelog.model_tables(model, this)) -%}
{{ return({'position': batch.position.get(name), 'stamp': batch.get('stamps', {}).get(name)}) }}
{%- endmacro %}

{#-
  The last batch of a model. A batch that an earlier run began to write and did not commit counts
  (begun_batch): the run finishes it before its own, which so begins where that one ends. One that
  is only staged or planned does not count: its range is read again.
-#}
{% macro _last_batch(tables) -%}
{%- set log = dbt_changelog._known_log(tables.relations.batch_log) -%}
{%- set begun = dbt_changelog.begun_batch(tables, log,
    dbt_changelog.read_batch_log(tables.relations.staged) if tables.stages else none) -%}
{{ return((begun or log or {'batch': {'position': {}}}).batch) }}
{%- endmacro %}

{#- The batch log of the model that runs, none before its first batch. -#}
{% macro _known_log(table) -%}
{%- set names = dbt_changelog.tables_of_model(model, this).names -%}
{%- set refreshes = dbt_changelog.is_remembered(dbt_changelog.model_file_format(model)) -%}
{{ return(dbt_changelog.parse_batch_log(
    dbt_changelog.known_table(table, refreshes, dbt_changelog.is_asked_once(model)).properties)
    if table.identifier | lower in names else none) }}
{%- endmacro %}
