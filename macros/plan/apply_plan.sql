{#- What the kernel last_write_wins needs of a plan, for a changelog of unknown columns. -#}
{% macro apply_plan(where, unique_key, sequence_by, tie_handling, passthrough) -%}
{%- set key = dbt_changelog.parse_names(where, 'unique_key', unique_key) -%}
{%- if not key -%}
{%- do dbt_changelog.raise_invalid(where, 'unique_key', 'it is required and was not set',
    "name the key columns, for example unique_key='id'") -%}
{%- endif -%}
{{ return({
  'where': where,
  'unique_key': key,
  'order_by': dbt_changelog.sequence_sql(
    {'sequence_by': dbt_changelog.parse_names(where, 'sequence_by', sequence_by)}),
  'tie_handling':
    dbt_changelog.parse_choice(where, 'tie_handling', tie_handling, ['FAIL', 'LAST']),
  'passthrough': dbt_changelog.parse_names(where, 'passthrough', passthrough),
  'has_update_before': true,
  'compared': none,
  'orderable': false,
}) }}
{%- endmacro %}
