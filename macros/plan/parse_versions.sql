{#-
  What a model says of its versions (SCD type 2), or none: {valid_from, valid_to, is_current,
  track_history_columns, track_history_columns_except}.
-#}
{% macro parse_versions(where, node) -%}
{%- set config, refuse = node.config, dbt_changelog.raise_invalid -%}
{%- set names = dbt_changelog.version_config_names() -%}
{%- do dbt_changelog.parse_choice(where, 'stored_as_scd_type',
    (config.get('stored_as_scd_type') or 1) | string, ['1', '2']) -%}
{%- if not dbt_changelog.keeps_versions(config) -%}
{%- for name in names[1:] if dbt_changelog.own_config(node).get(name) is not none -%}
{%- do refuse(where, name, 'it is of versions, and the model has none',
    'set stored_as_scd_type=2, or leave it out') -%}
{%- endfor -%}
{{ return(none) }}
{%- elif not config.get('unique_key') -%}
{%- do refuse(where, 'unique_key', 'versions are of a key, and no key was set',
    'name the key columns, or leave stored_as_scd_type out') -%}
{%- elif config.get('track_history_columns') is not none
    and config.get('track_history_columns_except') is not none -%}
{%- do refuse(where, 'track_history_columns', 'track_history_columns_except is given too',
    'set one of the two') -%}
{%- elif config.get('adopt') -%}
{%- do refuse(where, 'adopt', 'the rows of a table do not say since when they are as they are',
    'leave it out, and let the first run read all events') -%}
{%- endif -%}
{{ return(dbt_changelog._version_config(where, config)) }}
{%- endmacro %}

{#- What versions can't go with, and columns that must be there, or must not. -#}
{% macro check_versions(plan) -%}
{%- set refuse, names = dbt_changelog.raise_invalid, dbt_changelog.version_names(plan) -%}
{%- for argument in ['track_history_columns', 'track_history_columns_except'] if plan.versions -%}
{%- do dbt_changelog.require_columns(plan.where, argument, plan.versions[argument] or [],
    plan.payload) -%}
{%- endfor -%}
{%- for name in names -%}
{%- set argument = ['valid_from', 'valid_to', 'is_current'][loop.index0] -%}
{%- if dbt_changelog.find_name(name, plan.payload + plan.passthrough
    + (names | reject('equalto', name) | list)) is not none
    or names | map('lower') | unique | list | length < 3 -%}
{%- do refuse(plan.where, argument, "'" ~ name ~ "' is also another column of the contents",
    'choose another name, for example ' ~ argument ~ "='_" ~ name ~ "'") -%}
{%- endif -%}
{%- endfor -%}
{%- do dbt_changelog.check_generated(plan.where, names) -%}
{%- if plan.versions and plan.tombstone_retention != '0' -%}
{%- do refuse(plan.where, 'tombstone_retention', 'a deletion ends a version, which stays',
    'leave it out') -%}
{%- elif plan.versions and plan.state_ttl not in [none, '0'] -%}
{%- do refuse(plan.where, 'state_ttl', 'here all rows of a key are needed for ever',
    "set state_ttl='0', or leave it out") -%}
{%- elif plan.versions and plan.changelog and plan.on_schema_change == 'sync_all_columns' -%}
{%- do refuse(plan.where, 'on_schema_change', 'without a column versions become equal to their'
    ~ ' neighbours, and the changelog has them', "set on_schema_change='append_new_columns'") -%}
{%- endif -%}
{%- endmacro %}

{#- Whether a model's contents are versions. -#}
{% macro keeps_versions(config) -%}
{{ return(config.get('stored_as_scd_type') | string == '2') }}
{%- endmacro %}

{#- The configs of versions. -#}
{% macro version_config_names() -%}
{{ return(['stored_as_scd_type', 'valid_from', 'valid_to', 'is_current', 'track_history_columns',
           'track_history_columns_except']) }}
{%- endmacro %}

{% macro _version_config(where, config) -%}
{%- set found = {} -%}
{%- for name in ['valid_from', 'valid_to', 'is_current'] -%}
{%- do found.update({name: dbt_changelog.parse_new_column(where, name, config.get(name), name)
                            or name}) -%}
{%- endfor -%}
{%- for name in ['track_history_columns', 'track_history_columns_except'] -%}
{%- do found.update({name: none if config.get(name) is none
                     else dbt_changelog.parse_names(where, name, config.get(name))}) -%}
{%- endfor -%}
{{ return(found) }}
{%- endmacro %}
