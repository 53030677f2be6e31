{#-
  The model's configs for its table, which has these columns: {file_format, partition_by,
  cluster_by, location_root, properties}.
-#}
{% macro model_storage(where, node, names) -%}
{%- set config = node.config -%}
{%- set file_format = dbt_changelog.model_file_format(node) -%}
{#- what such a model says itself was refused (check_model_config) -#}
{%- set placed = config if dbt_changelog.format_of(file_format).merges else {} -%}
{%- set partition_by, cluster_by = [], [] -%}
{%- for item in dbt_changelog.parse_names(where, 'partition_by', placed.get('partition_by')) -%}
{%- do partition_by.append(dbt_changelog._partition_sql(where, file_format, item, names)) -%}
{%- endfor -%}
{%- set argument = 'liquid_clustered_by' if config.get('liquid_clustered_by')
    else 'clustered_by' -%}
{%- for name in dbt_changelog.parse_names(where, argument, config.get(argument)) -%}
{%- do cluster_by.append(dbt_changelog.require_column(where, argument, name, names)) -%}
{%- endfor -%}
{%- set root = placed.get('location_root') -%}
{%- set storage = {
  'file_format': file_format,
  'partition_by': partition_by,
  'cluster_by': cluster_by,
  'location_root': root.rstrip('/') if root else none,
  'properties': config.get('tblproperties') or {},
} -%}
{%- do dbt_changelog._check_layout(where, file_format, storage, argument,
    dbt_changelog.own_config(node).get('buckets')) -%}
{{ return(storage) }}
{%- endmacro %}

{#- An item of partition_by as SQL: a column, or of one a transform that the format has. -#}
{% macro _partition_sql(where, file_format, item, names) -%}
{%- set format = dbt_changelog.format_of(file_format) -%}
{%- set transform = modules.re.fullmatch('(?:(bucket|truncate)\\((\\d+), *|'
    ~ '(years|months|days|hours)\\()(.+)\\)', item | trim) -%}
{%- if transform is none or dbt_changelog.find_name(item, names) is not none -%}
{{ return(dbt_changelog.quote(
    dbt_changelog.require_column(where, 'partition_by', item, names))) }}
{%- elif not format.transforms -%}
{%- do dbt_changelog.raise_invalid(where, 'partition_by', "'" ~ item ~ "' is no column, and a table"
    ~ ' of ' ~ format.name ~ ' is partitioned by columns alone',
    'name a column; it may be computed in the query') -%}
{%- endif -%}
{%- set column = dbt_changelog.quote(
    dbt_changelog.require_column(where, 'partition_by', transform[4], names)) -%}
{{ return((transform[1] ~ '(' ~ transform[2] ~ ', ' if transform[1] else transform[3] ~ '(')
          ~ column ~ ')') }}
{%- endmacro %}

{#- Refuses a layout that the format has not. -#}
{% macro _check_layout(where, file_format, storage, argument, buckets) -%}
{%- set format = dbt_changelog.format_of(file_format) -%}
{%- set instead = "set partition_by, for example partition_by='bucket(16, id)'"
    if format.transforms else 'set partition_by' -%}
{%- if storage.cluster_by and not format.clusters -%}
{%- do dbt_changelog.raise_invalid(where, argument, format.name ~ ' tables are not clustered',
    instead ~ ', or leave it out: the first write is sorted by key') -%}
{%- elif storage.partition_by and storage.cluster_by -%}
{%- do dbt_changelog.raise_invalid(where, argument, 'a table is partitioned or clustered, not both',
    'set partition_by or ' ~ argument) -%}
{%- elif buckets -%}
{%- do dbt_changelog.raise_invalid(where, 'buckets', 'tables of ' ~ format.name
    ~ ' have no buckets', 'leave it out'
    ~ (': clustered_by alone clusters the state' if format.clusters else ', and ' ~ instead)) -%}
{%- endif -%}
{%- endmacro %}
