{#-
  When a stream runs its micro-batches: 'available_now', or a mapping with processing_time. Gives
  {processing_time, run_for, idle_for}: text as Spark takes it, and seconds; none where not set.
-#}
{% macro parse_trigger(where, value) -%}
{%- set none_set = {'processing_time': none, 'run_for': none, 'idle_for': none} -%}
{%- if value is none or value == 'available_now' -%}
{{ return(none_set) }}
{%- elif value is not mapping or not value.get('processing_time') -%}
{%- do dbt_changelog.raise_invalid(where, 'trigger', "'" ~ value
    ~ "' is neither 'available_now' nor has it a processing_time",
    "write trigger={'processing_time': '10 seconds', 'idle_for': '5 minutes'}, or leave it out:"
    ~ ' each run then reads what is there, and ends') -%}
{%- endif -%}
{%- do dbt_changelog.check_argument_names(where ~ ' (trigger)', value, none_set | list) -%}
{%- set read = {} -%}
{%- for name in none_set -%}
{%- do read.update({name:
    dbt_changelog.parse_duration(where, 'trigger.' ~ name, value.get(name))}) -%}
{%- endfor -%}
{%- if read.run_for is none and read.idle_for is none -%}
{%- do dbt_changelog.raise_invalid(where, 'trigger', 'it has no end, and neither would dbt run',
    "add 'run_for' or 'idle_for', for example {'processing_time': '" ~ value.processing_time
    ~ "', 'idle_for': '5 minutes'}") -%}
{%- endif -%}
{%- set every, idle = dbt_changelog.seconds(read.processing_time),
    dbt_changelog.seconds(read.idle_for) -%}
{%- if idle is not none and idle <= every -%}
{%- do dbt_changelog.raise_invalid(where, 'trigger', 'idle_for is not longer than processing_time,'
    ~ ' so it would end before a micro-batch could come', 'make it longer') -%}
{%- endif -%}
{{ return({'processing_time': every ~ ' seconds', 'run_for': dbt_changelog.seconds(read.run_for),
           'idle_for': idle}) }}
{%- endmacro %}

{#- A duration (parse_duration) in seconds; none of none. -#}
{% macro seconds(duration) -%}
{%- if duration in [none, '0'] -%}
{{ return(none if duration is none else 0) }}
{%- endif -%}
{%- set number, unit = duration.split(' ') -%}
{{ return(number | int * {'second': 1, 'minute': 60, 'hour': 3600, 'day': 86400, 'week': 604800}[
  unit.removesuffix('s')]) }}
{%- endmacro %}
