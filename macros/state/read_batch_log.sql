{#-
  The batch log of a state table, and what the table is: {batch, plan, file_format}; none when the
  table is not there or not ours.

  Asked now, not of dbt's cache nor of Spark's: another run may have made or changed it since.
-#}
{% macro read_batch_log(state) -%}
{%- if not dbt_changelog.table_exists(state) -%}
{{ return(none) }}
{%- endif -%}
{%- set properties = dbt_changelog.table_properties(state) -%}
{%- set log = dbt_changelog.from_chunks(properties) -%}
{{ return(dict(log, file_format=dbt_changelog.table_format(properties)) if log else none) }}
{%- endmacro %}
