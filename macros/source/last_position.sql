{#- How far this model has read a relation: none before its first batch, and in a full refresh. -#}
{% macro last_position(relation) -%}
{{ return(none if should_full_refresh()
    else dbt_changelog.last_positions(dbt_changelog.model_tables(model, this))
      .get(relation | string)) }}
{%- endmacro %}
