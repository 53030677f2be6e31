{#- Configs of a to_changelog model that no other step checks: their names, what can't be here. -#}
{% macro check_log_config(where, node) -%}
{%- set own, file_format = dbt_changelog.own_config(node), dbt_changelog.model_file_format(node) -%}
{%- do dbt_changelog.check_argument_names(where, own, dbt_changelog.encode_defaults() | list,
    dbt_changelog.model_config_names()) -%}
{%- do dbt_changelog.parse_choice(where, 'file_format', file_format,
    dbt_changelog.file_formats()) -%}
{%- set format = dbt_changelog.format_features(file_format) -%}
{%- if not format.merges -%}
{%- do dbt_changelog.raise_invalid(where, 'file_format', 'a table of ' ~ format.name
    ~ ' has no append that happens as a whole or not at all',
    "set file_format='delta' or file_format='iceberg'") -%}
{%- elif own.get('state_ttl') not in [none, 0, '0'] -%}
{%- do dbt_changelog.raise_invalid(where, 'state_ttl',
    'the row before a change is kept for ever here', 'leave it out') -%}
{%- elif own.get('on_schema_change') not in [none, 'ignore', 'fail'] -%}
{%- do dbt_changelog.raise_invalid(where, 'on_schema_change',
    'a log keeps the columns that it was made with', 'leave it out') -%}
{%- elif node.get('constraints') or node.get('columns', {}).values()
    | selectattr('constraints', 'defined') | map(attribute='constraints') | select | list -%}
{%- do dbt_changelog.raise_invalid(where, 'constraints', 'they are of a table, and a log also has'
    ~ ' the rows that go', 'leave them out; a contract may name the columns of the log') -%}
{%- endif -%}
{%- do dbt_changelog.check_idle_configs(where, own) -%}
{%- do dbt_changelog.check_language(where, node) -%}
{%- endmacro %}
