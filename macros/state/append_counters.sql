{#- How many change events a batch appended: Delta says it, elsewhere they are counted. -#}
{% macro append_counters(plan, batch) -%}
{%- set result = batch.result -%}
{%- if result is not none and result.rows and 'num_inserted_rows' in result.column_names -%}
{{ return({'rows_inserted': result.rows[0]['num_inserted_rows'] | int}) }}
{%- endif -%}
{%- set count = run_query('select count(*) from ' ~ plan.relations.log ~ ' where _batch_id = '
    ~ batch.id).rows[0][0] -%}
{{ return({'rows_inserted': count | int}) }}
{%- endmacro %}
