{#-
  watermark: events wait until their time is complete, and what is older is late. As a key of the
  plan, checked: {delay, max_future, keeps_late, time, type}, none without. time: the first item of
  sequence_by, SQL of the events' columns; max_future: how far ahead of the clock a time may be that
  the others are measured by; keeps_late: whether late events go into a table.
-#}
{% macro parse_watermark(node, plan, sequence) -%}
{%- set where, config, refuse = plan.where, node.config, dbt_changelog.raise_invalid -%}
{%- set delay = dbt_changelog.parse_duration(where, 'watermark', config.get('watermark')) -%}
{%- for name in dbt_changelog.watermark_config_names()
    if delay is none and config.get(name) is not none -%}
{%- do refuse(where, name, 'it is about a watermark, and none is set',
    "set watermark='5 minutes', or leave it out") -%}
{%- endfor -%}
{%- if delay is none -%}
{{ return(none) }}
{%- elif not plan.sequence_by -%}
{%- do refuse(where, 'sequence_by', 'a watermark is of the time of events, and none was named',
    "name a timestamp, for example sequence_by='event_time'") -%}
{%- endif -%}
{%- set format = dbt_changelog.format_of(plan.storage.file_format) -%}
{%- set type = sequence.type if plan.sequence_by | length == 1 else sequence.parts[0].type -%}
{%- if type not in ['timestamp', 'timestamp_ntz'] -%}
{%- do refuse(where, 'watermark', 'it is of the first item of sequence_by, ' ~ plan.sequence_by[0]
    ~ ', which is ' ~ type ~ ' and no timestamp', 'put a timestamp first, for example'
    ~ " sequence_by=['timestamp_millis(ts_ms)', 'lsn']") -%}
{%- elif not format.merges -%}
{%- do refuse(where, 'watermark', format.name ~ ' is for small tables that are written anew, and'
    ~ ' has no buffer', 'leave it out, or ' ~ dbt_changelog.merging_formats()) -%}
{%- elif plan.read.mode == 'full' -%}
{%- do refuse(where, 'watermark', "with read='full' each run reads all events again, and nothing"
    ~ ' tells which of them came late', "name a column that grows with arrival, for example"
    ~ " read={'column': 'ingested_at'}, and select from new_rows(..)") -%}
{%- endif -%}
{%- if plan.read.mode == 'column' and not plan.read.strict and dbt_changelog.find_name(
    plan.read.column, plan.columns.input | map(attribute='name')) is none -%}
{%- do refuse(where, 'read', 'the query does not select ' ~ plan.read.column
    ~ ', by which it reads, and nothing tells which events wait already', 'select it, and name it'
    ~ ' in passthrough if it is no column of the row; or, if no row arrives later with a value at'
    ~ " or below the greatest, write read={'column': '" ~ plan.read.column ~ "', 'strict': true}")
-%}
{%- endif -%}
{%- do dbt_changelog.check_storable(where, plan.storage.file_format, plan.columns.input) -%}
{{ return({
  'delay': delay,
  'max_future': dbt_changelog.parse_duration(where, 'max_future', config.get('max_future'))
    or '1 hour',
  'keeps_late': dbt_changelog.parse_choice(where, 'late_handling',
    config.get('late_handling') or 'DROP', ['DROP', 'KEEP']) == 'KEEP',
  'time': plan.sequence_by[0],
  'type': type,
}) }}
{%- endmacro %}

{#- The configs that are about a watermark. -#}
{% macro watermark_config_names() -%}
{{ return(['watermark', 'max_future', 'late_handling']) }}
{%- endmacro %}
