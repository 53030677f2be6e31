{#-
  The batch log of a state table: {batch, plan}; none when the table is not there or not ours.

  Asked now, not of dbt's cache nor of Spark's: another run may have made or changed it since.
-#}
{% macro read_batch_log(state) -%}
{%- if not dbt_changelog.table_exists(state) -%}
{{ return(none) }}
{%- endif -%}
{%- do run_query('refresh table ' ~ state) -%}
{%- set properties = {} -%}
{%- for row in run_query('show tblproperties ' ~ state) -%}
{%- do properties.update({row[0]: row[1]}) -%}
{%- endfor -%}
{{ return(dbt_changelog.from_chunks(properties)) }}
{%- endmacro %}
