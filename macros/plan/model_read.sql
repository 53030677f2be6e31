{#- How a model reads its source: {mode, column, lookback}. -#}
{% macro model_read(node) -%}
{{ return(dbt_changelog.parse_read(dbt_changelog.model_where(node), node.config.get('read'))) }}
{%- endmacro %}
