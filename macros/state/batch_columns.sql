{#- The columns of the table of batches: [{name, type}]. -#}
{% macro batch_columns() -%}
{%- set columns = [
  {'name': 'uid', 'type': 'string'},
  {'name': 'batch_id', 'type': 'bigint'},
  {'name': 'invocation_id', 'type': 'string'},
  {'name': 'started_at', 'type': 'timestamp'},
  {'name': 'committed_at', 'type': 'timestamp'},
  {'name': 'is_full_refresh', 'type': 'boolean'},
  {'name': 'from_position', 'type': 'string'},
  {'name': 'to_position', 'type': 'string'},
] -%}
{%- for name in dbt_changelog.counter_names() -%}
{%- do columns.append({'name': name, 'type': 'bigint'}) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}
