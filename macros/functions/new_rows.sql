{#-
  The rows of a relation that a from_changelog model has not read yet, as a subquery. where: an SQL
  condition, of the rows that are meant at all.

  From the last position to what is there now; the range stands beside it as a comment, from which
  the materialization takes the new position, which in a consistent group is that of all its models.
  All rows with read='full', and where no batch is made:
  dbt compile, show and test, unit tests, --empty.
-#}
{% macro new_rows(relation, where=none) -%}
{%- do dbt_changelog.check_reader('new_rows', 'from_changelog', relation) if execute -%}
{%- set reader = dbt_changelog.model_where(model) if model else 'this operation' -%}
{%- if where is not none and (where is not string or not where | trim) -%}
{%- do dbt_changelog.raise_invalid(reader, 'where', "'" ~ where ~ "' is no condition",
    'write it as a text, like where="topic = \'shop.public.orders\'"') -%}
{%- endif -%}
{%- set all = relation if where is none else '(select * from ' ~ relation ~ ' where ' ~ where ~ ')'
-%}
{%- if not execute or not dbt_changelog.makes_batch() -%}
{{ return(all) }}
{%- endif -%}
{%- set read = dbt_changelog.model_read(model) -%}
{%- if read.mode == 'full' -%}
{{ return(all) }}
{%- endif -%}
{%- set place = dbt_changelog.read_place(reader, relation, read) -%}
{%- set read_before = dbt_changelog.last_read(relation) -%}
{%- set last = read_before.position -%}
{%- do dbt_changelog.check_same_column(reader, last, place) if read.strict -%}
{%- set last = dbt_changelog.usable_position(last, place) -%}
{%- set group = dbt_changelog.parse_group(reader, model) -%}
{#- asked before the end, so that what comes in between is not taken for read -#}
{%- set stamp = dbt_changelog.source_stamp(relation, where)
    if dbt_changelog.can_rest(model) else none -%}
{%- set next = dbt_changelog.group_end(reader, relation, place, last, read, group) if group
    else last if last and stamp and stamp == read_before.stamp
    else dbt_changelog.source_end(reader, relation, place, last, read, where) -%}
{{ return(dbt_changelog.strict_range_sql(reader, relation, place.column, last, next, where)
    if read.strict else dbt_changelog.range_sql(
      relation, place.column, read.lookback, last, next, where, stamp)) }}
{%- endmacro %}
