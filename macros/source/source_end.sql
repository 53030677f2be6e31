{#-
  How far a source reaches now: {column, type, value}; none before it has a row. last: how far it
  was read. A position never goes back: a source without rows has nothing new, and one that ends
  below what was read is another one, or has lost rows.

  The plain max of an integer comes from the statistics of Delta and Iceberg, whatever the table's
  size. The value is a text that loses nothing, whatever the session's time zone.
-#}
{% macro source_end(where, relation, place, last, read) -%}
{%- set newest = 'max(' ~ dbt_changelog.quote(place.column) ~ ')' -%}
{%- set value = run_query('select ' ~ dbt_changelog._value_sql(where, place, newest) ~ ' from '
    ~ relation).rows[0][0] -%}
{%- set next = dict(place, value=value | string) -%}
{%- if value is none or next == last -%}
{{ return(last) }}
{%- elif last is none or not dbt_changelog._is_below(next, last) -%}
{{ return(next) }}
{%- elif read.get('lookback') is none or dbt_changelog._is_below(next, last, read.lookback) -%}
{%- do dbt_changelog.raise_invalid(where, 'read', 'the greatest ' ~ place.column ~ ' of '
    ~ relation ~ ' is ' ~ dbt_changelog._shown(next) ~ ', and it was read up to '
    ~ dbt_changelog._shown(last) ~ ': the source was made anew, or has lost its last rows',
    'run with --full-refresh to build the state anew' ~ ('' if read.get('strict') else
    '; or, if its rows go on from there, set a read.lookback that reaches down to it')) -%}
{%- endif -%}
{{ return(last) }}
{%- endmacro %}

{% macro _value_sql(where, place, newest) -%}
{%- set text = 'cast(' ~ newest ~ ' as string)' -%}
{{ return(newest if place.type in dbt_changelog._integers() else {
  'timestamp': 'cast(unix_micros(' ~ newest ~ ') as string)',
  'binary': 'hex(' ~ newest ~ ')',
  'string': 'if(not is_valid_utf8(' ~ newest ~ '), ' ~ dbt_changelog.raise_error_sql(
    "Invalid 'read' in " ~ where ~ ': the greatest ' ~ place.column
    ~ ' is no valid UTF-8, and would be another value as a position'
    ~ '.\nTo fix: cast it to binary in a view, and read from that.') ~ ', ' ~ newest ~ ')',
}.get(place.type, text)) }}
{%- endmacro %}

{% macro _integers() -%}
{{ return(['tinyint', 'smallint', 'int', 'bigint']) }}
{%- endmacro %}

{% macro _is_below(next, last, lookback=none) -%}
{%- if next.type in dbt_changelog._integers() -%}
{{ return(next.value | int < last.value | int - (lookback or 0)) }}
{%- endif -%}
{{ return(run_query('select ' ~ dbt_changelog.position_sql(next) ~ ' < '
    ~ dbt_changelog.position_sql(last, lookback)).rows[0][0]) }}
{%- endmacro %}

{% macro _shown(position) -%}
{{ return(position.value if position.type == 'binary' else run_query('select cast('
    ~ dbt_changelog.position_sql(position) ~ ' as string)').rows[0][0]) }}
{%- endmacro %}
