{#-
  The rows from a position less the lookback to another, as a subquery with the range as a comment.

  Rows whose column is NULL have no place: they are read every time, which loses nothing and
  repeats nothing, since applying a change again has no effect.
-#}
{% macro range_sql(relation, column, lookback, last, next) -%}
{%- if next is none -%}
{{ return(relation) }}
{%- endif -%}
{%- set name = dbt_changelog.quote(column) -%}
{%- set bounds = [name ~ ' <= ' ~ dbt_changelog.position_sql(next)] -%}
{%- if last is not none -%}
{%- set delay = '' if lookback is none else ' - ' ~ (lookback if lookback is number
    else "interval '" ~ lookback ~ "'") -%}
{%- do bounds.insert(0, name ~ ' >= ' ~ dbt_changelog.position_sql(last) ~ delay) -%}
{%- endif -%}
(
  {{ dbt_changelog.range_comment(relation, last, next) }}
  select * from {{ relation }}
  where ({{ bounds | join(' and ') }}) or {{ name }} is null
)
{%- endmacro %}
