{#- A part of a source as a subquery, with its range as a comment. -#}

{#-
  The rows from a position less the lookback to another, as a subquery with the range as a comment.

  Rows whose column is NULL have no place: they are read every time, which loses nothing and
  repeats nothing, since applying a change again has no effect. A source with only NULLs has no
  bounds and is read whole. condition: SQL, of the rows that are meant at all.
-#}
{% macro range_sql(relation, column, lookback, last, next, condition=none, stamp=none) -%}
{%- set name = dbt_changelog.quote(column) -%}
{%- set bounds = dbt_changelog.range_bounds({'from': last, 'to': next}, lookback) -%}
(
  {{ dbt_changelog.range_comment(relation, last, next, stamp) }}
  select * from {{ relation }}
{%- set rows = '(' ~ bounds | join(' and ') ~ ') or ' ~ name ~ ' is null' if bounds else '' -%}
{%- set conditions = [condition, rows] | select | list -%}
{%- if conditions %}
  where {{ conditions[0] if conditions | length == 1
           else '(' ~ conditions | join(')\n    and (') ~ ')' }}
{%- endif %}
)
{%- endmacro %}

{#- The conditions of a range that is not strict, {from, to}. -#}
{% macro range_bounds(range, lookback) -%}
{%- set bounds = [] -%}
{%- do bounds.append(dbt_changelog.quote(range.from.column) ~ ' >= '
    ~ dbt_changelog.position_sql(range.from, lookback)) if range.from is not none -%}
{%- do bounds.append(dbt_changelog.quote(range.to.column) ~ ' <= '
    ~ dbt_changelog.position_sql(range.to)) if range.to is not none -%}
{{ return(bounds) }}
{%- endmacro %}

{#-
  The rows above one position up to another, as a subquery with the range as a comment. A row whose
  column is NULL is in no range, or in each: an error.

  The range is a condition of its own, so that files out of it can be skipped. condition: SQL, of
  the rows that are meant at all, so that what is wrong with others is no error.
-#}
{% macro strict_range_sql(where, relation, column, last, next, condition=none) -%}
{%- set name = dbt_changelog.quote(column) -%}
{%- set bounds = [] if next is none else [name ~ ' <= ' ~ dbt_changelog.position_sql(next)] -%}
{%- do bounds.insert(0, name ~ ' > ' ~ dbt_changelog.position_sql(last)) if last is not none -%}
(
  {{ dbt_changelog.range_comment(relation, last, next) }}
  select * from {{ relation }}
  where {{ '(' ~ condition ~ ')\n    and ' if condition -}}
    (({{ bounds | join(' and ') or 'false' }}) or {{ name }} is null)
    and if({{ name }} is null, {{ dbt_changelog.raise_error_sql("Invalid 'read' in " ~ where
      ~ ': ' ~ column ~ ' is NULL in a row of ' ~ relation ~ ', which would be in no range'
      ~ '.\nTo fix: read by a column that is never NULL, or from a view that gives such rows one.')
    }}, true)
)
{%- endmacro %}
