{#- The batch log of a state table: {batch, plan}; none when the table is not there or not ours. -#}
{% macro read_batch_log(state) -%}
{%- if load_relation(state) is none -%}
{{ return(none) }}
{%- endif -%}
{%- set properties = {} -%}
{%- for row in run_query('show tblproperties ' ~ state) -%}
{%- do properties.update({row[0]: row[1]}) -%}
{%- endfor -%}
{{ return(dbt_changelog.from_chunks(properties)) }}
{%- endmacro %}
