{#- A position: how far a source was read, as a value of the column that it is read by. -#}

{#- A position less a lookback, as a SQL value of the column's type. -#}
{% macro position_sql(position, lookback=none) -%}
{%- set value = {
  'timestamp': 'timestamp_micros(' ~ position.value ~ ')', 'binary': "X'" ~ position.value ~ "'",
}.get(position.type, 'cast(' ~ dbt_changelog.literal(position.value) ~ ' as ' ~ position.type
      ~ ')') -%}
{%- set delay = lookback if lookback is number else "interval '" ~ lookback ~ "'" -%}
{{ return(value if lookback is none else value ~ ' - ' ~ delay) }}
{%- endmacro %}

{#- A value of the column that is read by, as SQL of a text that loses nothing. -#}
{% macro position_text_sql(where, place, newest) -%}
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

{#- Whether a position lies below another one, less the lookback. -#}
{% macro is_below(next, last, lookback=none) -%}
{%- if next.type in dbt_changelog._integers() -%}
{{ return(next.value | int < last.value | int - (lookback or 0)) }}
{%- endif -%}
{{ return(run_query('select ' ~ dbt_changelog.position_sql(next) ~ ' < '
    ~ dbt_changelog.position_sql(last, lookback)).rows[0][0]) }}
{%- endmacro %}

{% macro _integers() -%}
{{ return(['tinyint', 'smallint', 'int', 'bigint']) }}
{%- endmacro %}

{#- A position is of one column: by another one, rows that were read would be read again. -#}
{% macro check_same_column(where, last, next) -%}
{%- if last is not none and (last.column != next.column or last.type != next.type) -%}
{%- do dbt_changelog.raise_invalid(where, 'read', 'its column is ' ~ next.column ~ ', '
    ~ next.type ~ ', but the state was read up to a position of ' ~ last.column ~ ', ' ~ last.type,
    'set it back, or run with --full-refresh to build the state anew from all that the source'
    ~ ' still has') -%}
{%- endif -%}
{%- endmacro %}

{#- The last position, if it is of the column that is read now; else none: all rows are read. -#}
{% macro usable_position(last, next) -%}
{{ return(last if last and last.column == next.column and last.type == next.type else none) }}
{%- endmacro %}
