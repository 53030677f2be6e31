{#- What a MERGE did, under our names: Delta says it in the result, Iceberg in the new snapshot. -#}
{% macro merge_counters(plan, result) -%}
{%- if result is not none and result.rows and 'num_updated_rows' in result.column_names -%}
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
