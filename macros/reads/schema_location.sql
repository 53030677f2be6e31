{#- The folder where a schema keeps its tables; none where its catalog does not say. -#}
{% macro schema_location(schema) -%}
{%- for row in run_query('describe schema extended ' ~ schema).rows
    if row[0] | lower == 'location' and row[1] -%}
{{ return(row[1].rstrip('/')) }}
{%- endfor -%}
{{ return(none) }}
{%- endmacro %}
