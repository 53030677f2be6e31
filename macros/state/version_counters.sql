{#- How a new state differs from the one before it; no key ever leaves a state. -#}
{% macro version_counters(plan, batch) -%}
{%- set row = run_query('select count(*), count_if(_batch_id = ' ~ batch.id ~ ')\nfrom '
    ~ batch.state).rows[0] -%}
{%- set before = run_query('select count(*) from ' ~ plan.relations.state).rows[0][0] | int -%}
{%- set inserted = row[0] | int - before -%}
{{ return({'rows_inserted': inserted, 'rows_updated': row[1] | int - inserted}) }}
{%- endmacro %}
