{#- Names of arguments and configs: which there are, and which a model itself has set. -#}

{#-
  An unknown argument is an error that names the nearest valid one, if it is a typing error. known:
  of a model, what dbt knows beside ours.
-#}
{% macro check_argument_names(where, given, ours, known=none) -%}
{%- for name, value in given | dictsort if value is not none
    and name not in ours + (known.used + known.idle if known else []) -%}
{%- set near = dbt_changelog.nearest_name(name, ours + (known.used if known else [])) -%}
{%- set own = 'put it into meta if it is your own' if known else '' -%}
{%- do dbt_changelog.raise_invalid(where, name, 'there is no such argument',
    "use '" ~ near ~ "'" ~ (', or ' ~ own if own) if near
    else 'leave it out' ~ (', or ' ~ own if own) ~ '; the arguments'
      ~ (' of this model' if known) ~ ' are: ' ~ ours | sort | join(', ')) -%}
{%- endfor -%}
{%- endmacro %}

{#-
  Configs that dbt and dbt-spark own: a model of ours may have them. idle: those that have no effect
  here; nobody is told to use one. dbt itself writes the last four, of a Python model.
-#}
{% macro model_config_names() -%}
{{ return({
  'used': [
    'access', 'alias', 'clustered_by', 'contract', 'database', 'docs', 'enabled', 'file_format',
    'full_refresh', 'grants', 'group', 'liquid_clustered_by', 'location_root', 'materialized',
    'meta', 'on_schema_change', 'partition_by', 'persist_docs', 'post-hook', 'post_hook',
    'pre-hook', 'pre_hook', 'quoting', 'schema', 'tags', 'tblproperties',
  ],
  'idle': [
    'batch_size', 'begin', 'buckets', 'column_types', 'concurrent_batches', 'event_time',
    'freshness', 'incremental_strategy', 'lookback', 'on_configuration_change', 'options',
    'packages', 'sql_header', 'static_analysis', 'submission_method',
    'config_keys_defaults', 'config_keys_used', 'meta_keys_defaults', 'meta_keys_used',
  ],
}) }}
{%- endmacro %}

{#-
  What a model itself says of its config, {name: value}: in its config() call, or in its entry of a
  yml file. Only that can be its mistake: dbt_project.yml speaks to many models, of any kind.

  dbt keeps config() apart, and mixes the other two. A name that both have counts as dbt_project's.
-#}
{% macro own_config(node) -%}
{%- set own, shared, root = {}, [], adapter.config -%}
{%- do shared.extend(dbt_changelog._project_names(root.models, node.fqn)) -%}
{%- do shared.extend(dbt_changelog._project_names(
    root.load_dependencies()[node.package_name].models, node.fqn))
    if node.package_name != root.project_name -%}
{%- for name in node.unrendered_config if name not in shared -%}
{%- do own.update({name: node.config.get(name)}) -%}
{%- endfor -%}
{%- do own.update(node.config_call_dict) -%}
{{ return(own) }}
{%- endmacro %}

{#- What one project sets for a model; a mapping whose name has no plus sign is a folder. -#}
{% macro _project_names(models, folders) -%}
{%- set names = [] -%}
{%- for name, value in models.items() if name.startswith('+') or value is not mapping -%}
{%- do names.append(name.removeprefix('+') | trim) -%}
{%- endfor -%}
{%- if folders and models.get(folders[0]) is mapping -%}
{%- do names.extend(dbt_changelog._project_names(models[folders[0]], folders[1:])) -%}
{%- endif -%}
{{ return(names) }}
{%- endmacro %}
