{#- A lookback is what can be taken from the column: a duration of a time, a number of a number. -#}
{% macro check_lookback(where, read, next) -%}
{%- set is_time = next is not none and modules.re.match('timestamp|date', next.type) is not none -%}
{%- if read.lookback is not none and next is not none
    and (next.type == 'string' or is_time == (read.lookback is number)) -%}
{%- do dbt_changelog.raise_invalid(where, 'read.lookback', read.lookback ~ ' can not be taken from '
    ~ read.column ~ ', which is ' ~ next.type,
    'write a duration for a timestamp or date, a number for a number, none for a string') -%}
{%- endif -%}
{%- endmacro %}
