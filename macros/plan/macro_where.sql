{#- A macro that a model calls, as messages name it. -#}
{% macro macro_where(name) -%}
{{ return(name ~ '(...)'
          ~ (" of model '" ~ dbt_changelog.model_name(model) ~ "'" if model else '')) }}
{%- endmacro %}
