{#-
  Table before, table after -> the changelog that makes the one of the other. before, after:
  relations or names of CTEs with the same columns. Without unique_key rows are counted.

  sequence: what orders these changes after those of other calls; SQL text, the same for all.
-#}
{% macro diff_tables(before, after, unique_key=none, sequence='0') -%}
{%- set where = dbt_changelog.macro_where('diff_tables') -%}
{%- set plan = {
  'where': where,
  'unique_key': dbt_changelog.parse_names(where, 'unique_key', unique_key),
  'sequence': sequence | string,
  'knows_rows': false,
} -%}
{%- if plan.unique_key -%}
{{ dbt_changelog.diff_rows_sql(plan, before, after) }}
{%- else -%}
{{ dbt_changelog.diff_bags_sql(plan, before, after) }}
{%- endif -%}
{%- endmacro %}
