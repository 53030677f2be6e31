{#- Whether rows of these columns can be compared: maps, variants and intervals can't. -#}
{% macro is_orderable(columns) -%}
{{ return(modules.re.search('map<|variant|interval', columns | map(attribute='type') | join(' '))
          is none) }}
{%- endmacro %}
