{#- Configs of a from_changelog model that no other step checks: their names, what is not built. -#}
{% macro check_model_config(where, node) -%}
{%- set own, planned = dbt_changelog.own_config(node), dbt_changelog._planned_config_names() -%}
{%- set ours = (dbt_changelog.decode_defaults() | list)
    + ['adopt', 'changelog', 'compact_every', 'consistent_group', 'counters', 'contents_schema',
       'format', 'payload_schema', 'unavailable_value', 'ignore_null_updates',
       'columns_not_sent', 'soft_delete', 'tombstone_retention', 'on_conflict', 'merge',
       'compact_above']
    + dbt_changelog.version_config_names() + dbt_changelog.watermark_config_names()
    + (dbt_changelog.stream_config_names() if dbt_changelog.is_stream(node) else ['read']) -%}
{%- do dbt_changelog.check_argument_names(
    where, own, ours + planned | list, dbt_changelog.model_config_names()) -%}
{%- for name in planned if own.get(name) -%}
{%- do dbt_changelog.raise_invalid(where, name, 'this version does not have it yet',
    'leave it out') -%}
{%- endfor -%}
{%- do dbt_changelog.parse_choice(where, 'file_format', dbt_changelog.model_file_format(node),
    dbt_changelog.file_formats()) -%}
{%- do dbt_changelog._check_format(where, dbt_changelog.model_file_format(node), node.config, own)
-%}
{%- do dbt_changelog._check_idle_configs(where, own) -%}
{%- do dbt_changelog._check_language(where, node) -%}
{%- endmacro %}

{#- Configs of a to_changelog model that no other step checks: their names, what can't be here. -#}
{% macro check_event_config(where, node) -%}
{%- set own = dbt_changelog.own_config(node) -%}
{%- set file_format = dbt_changelog.model_file_format(node) -%}
{%- if own.get('watermark') is not none -%}
{%- do dbt_changelog.raise_invalid(where, 'watermark', 'the changes of a run are taken as they are',
    'set it in the from_changelog model whose changes this one reads: they are net, and of times'
    ~ ' that are complete') -%}
{%- endif -%}
{%- do dbt_changelog.check_argument_names(where, own, (dbt_changelog.encode_defaults() | list)
    + (dbt_changelog.stream_config_names() if dbt_changelog.is_stream(node) else []),
    dbt_changelog.model_config_names()) -%}
{%- do dbt_changelog.parse_choice(where, 'file_format', file_format,
    dbt_changelog.file_formats()) -%}
{%- set format = dbt_changelog.format_of(file_format) -%}
{%- if not format.merges -%}
{%- do dbt_changelog.raise_invalid(where, 'file_format', 'a table of ' ~ format.name
    ~ ' has no append that happens as a whole or not at all',
    dbt_changelog.merging_formats()) -%}
{%- elif own.get('state_ttl') not in [none, 0, '0'] -%}
{%- do dbt_changelog.raise_invalid(where, 'state_ttl',
    'the row before a change is kept for ever here', 'leave it out') -%}
{%- elif own.get('on_schema_change') not in [none, 'ignore', 'fail'] -%}
{%- do dbt_changelog.raise_invalid(where, 'on_schema_change',
    'an event table keeps the columns that it was made with', 'leave it out') -%}
{%- elif node.get('constraints') or node.get('columns', {}).values()
    | selectattr('constraints', 'defined') | map(attribute='constraints') | select | list -%}
{%- do dbt_changelog.raise_invalid(where, 'constraints', 'they are of a table, and an event table'
    ~ ' also has the rows that go',
    'leave them out; a contract may name the columns of the event table') -%}
{%- endif -%}
{%- do dbt_changelog._check_idle_configs(where, own) -%}
{%- do dbt_changelog._check_language(where, node) -%}
{%- endmacro %}

{#-
  Refuses what a format without transactions can't do: the reason, and the way out. What a project
  says of the storage of all its models is left out by those that can't have it.
-#}
{% macro _check_format(where, file_format, config, own) -%}
{%- set format, refuse = dbt_changelog.format_of(file_format), dbt_changelog.raise_invalid -%}
{%- set other = 'leave it out, or ' ~ dbt_changelog.merging_formats() -%}
{%- if format.merges -%}
{{ return(none) }}
{%- elif not config.get('unique_key') -%}
{%- do refuse(where, 'unique_key',
    'without it changes are staged and counted once, which a table of ' ~ format.name
    ~ ' can not do',
    'name the key columns, or ' ~ dbt_changelog.merging_formats()) -%}
{%- elif config.get('on_conflict') -%}
{%- do refuse(where, 'on_conflict', 'with it changes are staged and counted once, which a table of '
    ~ format.name ~ ' can not do', other) -%}
{%- elif config.get('changelog') -%}
{%- do refuse(where, 'changelog', 'a table of ' ~ format.name
    ~ ' has no append that happens as a whole or not at all', other) -%}
{%- elif own.get('location_root') -%}
{%- do refuse(where, 'location_root', 'each run writes a new table of ' ~ format.name
    ~ ', and one that is dropped would leave its files there', other) -%}
{%- elif own.get('partition_by') -%}
{%- do refuse(where, 'partition_by', 'a partition of ' ~ format.name
    ~ " can not tell '' from NULL", other) -%}
{%- elif own.get('on_schema_change') not in [none, 'ignore', 'fail'] -%}
{%- do refuse(where, 'on_schema_change', "'" ~ own.get('on_schema_change')
    ~ "' changes a table in place, and a table of " ~ format.name ~ ' is never changed',
    "set on_schema_change='fail', and run with --full-refresh when columns change") -%}
{%- endif -%}
{%- endmacro %}

{#- Configs of dbt that would have no effect here: the error says where the wish belongs. -#}
{% macro _check_idle_configs(where, config) -%}
{%- set refuse = dbt_changelog.raise_invalid -%}
{%- if config.get('lookback') not in [none, 1] -%}
{%- do refuse(where, 'lookback', 'it is of the microbatch strategy, and would be ignored',
    "write it into read, for example read={'column': 'ingested_at', 'lookback': '1 hour'}") -%}
{%- elif config.get('incremental_strategy') -%}
{%- do refuse(where, 'incremental_strategy', 'it would be ignored', 'leave it out') -%}
{%- elif config.get('sql_header') -%}
{%- do refuse(where, 'sql_header', 'it would be ignored', 'write it as a pre_hook') -%}
{%- endif -%}
{%- endmacro %}

{#- What a Python model returns is read whole: it has no ranges. -#}
{% macro _check_language(where, node) -%}
{%- if node.language | default('sql') != 'sql' and node.config.get('read') not in [none, 'full'] -%}
{%- do dbt_changelog.raise_invalid(where, 'read', 'a Python model is read as a whole',
    "leave it out; or run the model as a stream: materialized='changelog_stream'") -%}
{%- endif -%}
{%- endmacro %}

{#- Configs that are designed and not built: a model that sets one gets an error, not silence. -#}
{% macro _planned_config_names() -%}
{{ return(['contents']) }}
{%- endmacro %}
