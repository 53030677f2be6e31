{#- The file format of a model's tables. -#}
{% macro model_file_format(node) -%}
{{ return(node.config.get('file_format') or 'delta') }}
{%- endmacro %}
