{#- How far a source reaches, by a column that grows with arrival. -#}

{#-
  How far a source reaches now: {column, type, value}; none before it has a row. last: how far it
  was read. condition: SQL, of the rows that are meant: nothing is new where only others came.
-#}
{% macro source_end(where, relation, place, last, read, condition=none) -%}
{%- set next = dbt_changelog._end_of_all(where, relation, place, last, read) -%}
{%- if condition is none or next == last -%}
{{ return(next) }}
{%- endif -%}
{%- set column = dbt_changelog.quote(place.column) -%}
{%- set value = run_query('select '
    ~ dbt_changelog.position_text_sql(where, place, 'max(' ~ column ~ ')')
    ~ ' from ' ~ relation ~ '\nwhere (' ~ condition ~ ')\n  and ' ~ column ~ ' <= '
    ~ dbt_changelog.position_sql(next)
    ~ ('\n  and ' ~ column ~ ' > ' ~ dbt_changelog.position_sql(last) if last else '')).rows[0][0]
-%}
{{ return(last if value is none else dict(place, value=value | string)) }}
{%- endmacro %}

{#-
  How far all rows of a source reach. A position never goes back: a source without rows has nothing
  new, and one that ends below what was read is another one, or has lost rows.

  The plain max of an integer comes from the statistics of Delta and Iceberg, whatever the table's
  size. The value is a text that loses nothing, whatever the session's time zone.
-#}
{% macro _end_of_all(where, relation, place, last, read) -%}
{%- set newest = 'max(' ~ dbt_changelog.quote(place.column) ~ ')' -%}
{%- set value = run_query('select ' ~ dbt_changelog.position_text_sql(where, place, newest)
    ~ ' from ' ~ relation).rows[0][0] -%}
{%- set next = dict(place, value=value | string) -%}
{%- if value is none or next == last -%}
{{ return(last) }}
{%- elif last is none or not dbt_changelog.is_below(next, last) -%}
{{ return(next) }}
{%- elif read.get('lookback') is none or dbt_changelog.is_below(next, last, read.lookback) -%}
{%- do dbt_changelog.raise_invalid(where, 'read', 'the greatest ' ~ place.column ~ ' of '
    ~ relation ~ ' is ' ~ dbt_changelog._shown(next) ~ ', and it was read up to '
    ~ dbt_changelog._shown(last) ~ ': the source was made anew, or has lost its last rows',
    'run with --full-refresh to build the state anew' ~ ('' if read.get('strict') else
    '; or, if its rows go on from there, set a read.lookback that reaches down to it')) -%}
{%- endif -%}
{{ return(last) }}
{%- endmacro %}

{% macro _shown(position) -%}
{{ return(position.value if position.type == 'binary' else run_query('select cast('
    ~ dbt_changelog.position_sql(position) ~ ' as string)').rows[0][0]) }}
{%- endmacro %}

{#-
  The column of a relation that is read by, {column, type}. Its values must have an order in which
  every row finds its place, and a text that loses nothing of them.
-#}
{% macro read_place(where, relation, read) -%}
{%- do dbt_changelog.check_is_table(where, 'new_rows', relation) -%}
{%- set columns = dbt_changelog.describe_query('select * from ' ~ relation) -%}
{%- set name = dbt_changelog.require_column(
    where, 'read', read.column, columns | map(attribute='name') | list, relation) -%}
{%- set type = (columns | selectattr('name', 'equalto', name) | first).type -%}
{%- set is_time = modules.re.match('timestamp|date', type) is not none -%}
{%- do exceptions.warn('In ' ~ where ~ ' ' ~ name ~ ' of ' ~ relation ~ ", by which it reads, is a"
    ~ " text, and of texts '9' is later than '10': what arrives as '10' after '9' is never read."
    ~ ' To fix: read from a view that casts it to what it stands for, such as bigint; or to binary,'
    ~ ' if it is meant to be compared as text.') if dbt_changelog.has_text(type) -%}
{%- if not modules.re.fullmatch('(tiny|small|big)?int|decimal\\(.*\\)|date|timestamp(_ntz)?|string'
    ~ '|(var)?char\\(.*\\)|binary', type) -%}
{%- do dbt_changelog.raise_invalid(where, 'read', "column '" ~ name ~ "' of " ~ relation ~ ' is '
    ~ type ~ ', whose values can not be kept as a position. Types that can are: tinyint, smallint,'
    ~ ' int, bigint, decimal, date, timestamp, timestamp_ntz, string, binary',
    'cast it in a view, and read from that; or name another column') -%}
{%- elif read.lookback is not none
    and (modules.re.match('string|binary|(var)?char', type) or is_time == (read.lookback is number))
-%}
{%- do dbt_changelog.raise_invalid(where, 'read.lookback', read.lookback ~ ' can not be taken from '
    ~ name ~ ', which is ' ~ type,
    'write a duration for a timestamp or date, a number for a number, none for a string or binary')
-%}
{%- endif -%}
{{ return({'column': name, 'type': type}) }}
{%- endmacro %}
