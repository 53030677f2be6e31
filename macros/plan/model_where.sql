{#- A model as messages name it. -#}
{% macro model_where(model) -%}
{{ return(model.config.materialized ~ " model '" ~ dbt_changelog.model_name(model) ~ "'") }}
{%- endmacro %}
