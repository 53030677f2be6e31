{#- The key by which the changes of a table are paired: the model's, as the table spells it. -#}
{% macro feed_key(where, columns) -%}
{%- set given = dbt_changelog.encode_args(where, dbt_changelog.given_encode_args(model.config)) -%}
{{ return(dbt_changelog.require_columns(where, 'unique_key', given.unique_key,
    columns | map(attribute='name') | list)) }}
{%- endmacro %}
