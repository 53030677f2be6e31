{#-
  The batch log of a state table: {batch, plan}; none when the table is not there or not ours.

  Whether it is there is asked now, not of dbt's cache: another run may have made it since.
-#}
{% macro read_batch_log(state) -%}
{%- if not dbt_changelog.table_exists(state) -%}
{{ return(none) }}
{%- endif -%}
{%- set properties = {} -%}
{%- for row in run_query('show tblproperties ' ~ state) -%}
{%- do properties.update({row[0]: row[1]}) -%}
{%- endfor -%}
{{ return(dbt_changelog.from_chunks(properties)) }}
{%- endmacro %}
