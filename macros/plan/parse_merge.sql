{#-
  merge='on_read': a batch is appended, and who reads takes the greatest row of each key. Gives the
  share of the keys above which a run compacts what was appended (compact_above); none without.
-#}
{% macro parse_merge(where, node) -%}
{%- set config, refuse = node.config, dbt_changelog.raise_invalid -%}
{%- set merge = dbt_changelog.parse_choice(
    where, 'merge', config.get('merge') or 'on_write', ['on_write', 'on_read']) -%}
{%- set share = config.get('compact_above') -%}
{%- if merge == 'on_write' -%}
{%- do refuse(where, 'compact_above', 'nothing is appended to a state whose batches are merged',
    "leave it out, or set merge='on_read'") if share is not none -%}
{{ return(none) }}
{%- endif -%}
{%- do dbt_changelog._check_can_append(where, node) -%}
{%- if share is not none and (share is not number or share is boolean or share <= 0) -%}
{%- do refuse(where, 'compact_above', "'" ~ share ~ "' is no share of the keys",
    'write a number above zero, for example compact_above=0.1 for a tenth of the keys') -%}
{%- endif -%}
{{ return(0.2 if share is none else share) }}
{%- endmacro %}

{#- A state may have several rows a key only if the greatest of them is the row. -#}
{% macro _check_can_append(where, node) -%}
{%- set config, kernel = node.config, dbt_changelog.model_kernel(node) -%}
{%- set format = dbt_changelog.format_of(dbt_changelog.model_file_format(node)) -%}
{%- set refuse, out = dbt_changelog.raise_invalid, "leave it out: merge='on_write' is the default"
-%}
{%- if not format.merges -%}
{%- do refuse(where, 'merge', 'each run writes a new state on ' ~ format.name
    ~ ', and appends nothing', out ~ ', or ' ~ dbt_changelog.merging_formats()) -%}
{%- elif kernel != 'merge_on_read' -%}
{%- set why = 'without unique_key there is no greatest row of a key, but a number of equal rows'
    if kernel == 'multiset'
    else 'with on_conflict a key has a list of rows, and none replaces another'
    if kernel == 'upsert_materialize'
    else 'each version of a key is a row of the contents' if 'versions' in kernel
    else 'a row is put together from the events of its key: values that were not sent, soft deletes'
    ~ ' and truncates are merged when they are written' -%}
{%- do refuse(where, 'merge', why, out) -%}
{%- elif config.get('consistent_group') -%}
{%- do refuse(where, 'merge', 'the views of a consistent group read older versions of their states,'
    ~ ' which were compacted less far', 'leave out one of the two') -%}
{%- elif not dbt_changelog.is_stream(node) and config.get('read') in [none, 'full'] -%}
{%- do refuse(where, 'merge', "a batch is appended, and read='full' would append all that the"
    ~ ' source has in each run',
    "read what is new, by a column that grows with arrival: read={'column': 'ingested_at'}") -%}
{%- endif -%}
{%- endmacro %}
