{#- The counters of a batch: rows are those of the contents, events are rows of the query. -#}
{% macro counter_names() -%}
{{ return(['rows_inserted', 'rows_updated', 'rows_deleted', 'events_late', 'events_duplicate',
           'events_invalid']) }}
{%- endmacro %}
