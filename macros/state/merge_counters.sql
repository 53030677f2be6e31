{#- What Delta says of a MERGE, under our names. -#}
{% macro merge_counters(result) -%}
{%- if result is none or not result.rows or 'num_updated_rows' not in result.column_names -%}
{{ return({}) }}
{%- endif -%}
{%- set row = result.rows[0] -%}
{{ return({
  'rows_inserted': row['num_inserted_rows'] | int,
  'rows_updated': row['num_updated_rows'] | int,
}) }}
{%- endmacro %}
