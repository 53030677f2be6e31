{#- What a model's config says of from_changelog's arguments. -#}
{% macro given_decode_args(config) -%}
{%- set given = {} -%}
{%- for name in dbt_changelog.decode_defaults() | list if config.get(name) is not none -%}
{%- do given.update({name: config.get(name)}) -%}
{%- endfor -%}
{{ return(given) }}
{%- endmacro %}
