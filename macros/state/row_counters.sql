{#-
  What a batch did to the contents, under our names: asked of the rows that it wrote, whichever run
  wrote them. Whether there are any decides whether it is a batch.
-#}
{% macro row_counters(plan, batch) -%}
{%- set row = run_query(dbt_changelog.count_rows_sql(plan, batch)).rows[0] -%}
{%- set counters = {} -%}
{%- for name in dbt_changelog.kernel_macros(plan).row_counts -%}
{%- do counters.update({name: row[name] | int}) -%}
{%- endfor -%}
{%- do batch.update({'wrote': row['written'] | int > 0}) -%}
{{ return(counters) }}
{%- endmacro %}
