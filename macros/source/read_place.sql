{#-
  The column of a relation that is read by, {column, type}. Its values must have an order in which
  every row finds its place, and a text that loses nothing of them.
-#}
{% macro read_place(where, relation, read) -%}
{%- do dbt_changelog.check_is_table(where, 'new_rows', relation) -%}
{%- set columns = dbt_changelog.describe_query('select * from ' ~ relation) -%}
{%- set name = dbt_changelog.require_column(
    where, 'read', read.column, columns | map(attribute='name') | list) -%}
{%- set type = (columns | selectattr('name', 'equalto', name) | first).type -%}
{%- set is_time = modules.re.match('timestamp|date', type) is not none -%}
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
