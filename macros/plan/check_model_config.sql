{#- Configs of a from_changelog model that no other step checks: their names, what is not built. -#}
{% macro check_model_config(where, node) -%}
{%- set own, planned = dbt_changelog.own_config(node), dbt_changelog.planned_config_names() -%}
{%- set ours = (dbt_changelog.decode_defaults() | list)
    + ['read', 'changelog', 'counters', 'contents_schema'] -%}
{%- do dbt_changelog.check_argument_names(
    where, own, ours + planned | list, dbt_changelog.model_config_names()) -%}
{%- for name in planned if own.get(name) -%}
{%- do dbt_changelog.raise_invalid(where, name, 'this version does not have it yet',
    'leave it out') -%}
{%- endfor -%}
{%- do dbt_changelog.parse_choice(where, 'file_format', dbt_changelog.model_file_format(node),
    dbt_changelog.file_formats()) -%}
{%- do dbt_changelog.check_format(where, dbt_changelog.model_file_format(node), node.config) -%}
{%- do dbt_changelog.check_idle_configs(where, own) -%}
{%- do dbt_changelog.check_language(where, node) -%}
{%- endmacro %}
