{#-
  What bringing a batch into the state did, under our names: Delta says it in the result of the
  MERGE, Iceberg in the new snapshot; of a new state it is counted.
-#}
{% macro merge_counters(plan, batch, result) -%}
{%- if batch.creates -%}
{%- set count = run_query('select count(*) from ' ~ batch.state).rows[0][0] -%}
{{ return({'rows_inserted': count | int, 'rows_updated': 0}) }}
{%- elif batch.state | string != plan.relations.state | string -%}
{{ return(dbt_changelog.version_counters(plan, batch)) }}
{%- elif result is not none and result.rows and 'num_updated_rows' in result.column_names -%}
{%- set row = result.rows[0] -%}
{{ return({
  'rows_inserted': row['num_inserted_rows'] | int,
  'rows_updated': row['num_updated_rows'] | int,
}) }}
{%- elif plan.state.file_format == 'iceberg' -%}
{{ return(dbt_changelog.snapshot_counters(plan.relations.state)) }}
{%- endif -%}
{{ return({}) }}
{%- endmacro %}
