{#- The counters of a batch: rows are keys of the state, events are rows of the query. -#}
{% macro counter_names() -%}
{{ return(['rows_inserted', 'rows_updated', 'events_late', 'events_duplicate',
           'events_invalid']) }}
{%- endmacro %}
