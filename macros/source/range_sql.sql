{#-
  The rows from a position less the lookback to another, as a subquery with the range as a comment.

  Rows whose column is NULL have no place: they are read every time, which loses nothing and
  repeats nothing, since applying a change again has no effect. A source that has no others is read
  as it is.
-#}
{% macro range_sql(relation, column, lookback, last, next) -%}
{%- set name, position_sql = dbt_changelog.quote(column), dbt_changelog.position_sql -%}
{%- set bounds = [] if next is none else [name ~ ' <= ' ~ position_sql(next)] -%}
{%- do bounds.insert(0, name ~ ' >= ' ~ position_sql(last, lookback)) if last is not none -%}
(
  {{ dbt_changelog.range_comment(relation, last, next) }}
  select * from {{ relation }}
{%- if bounds %}
  where ({{ bounds | join(' and ') }}) or {{ name }} is null
{%- endif %}
)
{%- endmacro %}
