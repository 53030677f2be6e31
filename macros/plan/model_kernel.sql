{#- The rule by which a model's contents are made. -#}
{% macro model_kernel(node) -%}
{{ return('last_write_wins' if node.config.get('unique_key') else 'multiset') }}
{%- endmacro %}
