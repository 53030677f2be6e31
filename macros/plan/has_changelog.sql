{#- Whether a model writes the changelog that it emits. -#}
{% macro has_changelog(node) -%}
{{ return(true if node.config.get('changelog') else false) }}
{%- endmacro %}
