{#- What a model's config says of to_changelog's arguments. -#}
{% macro given_encode_args(config) -%}
{%- set given = {} -%}
{%- for name in dbt_changelog.encode_defaults() | list if config.get(name) is not none -%}
{%- do given.update({name: config.get(name)}) -%}
{%- endfor -%}
{{ return(given) }}
{%- endmacro %}
