{#-
  The rows above one position up to another, as a subquery with the range as a comment. A row whose
  column is NULL is in no range, or in each: an error.

  The range alone is the first condition, so that files out of it can be skipped.
-#}
{% macro strict_range_sql(where, relation, column, last, next) -%}
{%- set name = dbt_changelog.quote(column) -%}
{%- set bounds = [] if next is none else [name ~ ' <= ' ~ dbt_changelog.position_sql(next)] -%}
{%- do bounds.insert(0, name ~ ' > ' ~ dbt_changelog.position_sql(last)) if last is not none -%}
(
  {{ dbt_changelog.range_comment(relation, last, next) }}
  select * from {{ relation }}
  where (({{ bounds | join(' and ') or 'false' }}) or {{ name }} is null)
    and if({{ name }} is null, {{ dbt_changelog.raise_error_sql("Invalid 'read' in " ~ where
      ~ ': ' ~ column ~ ' is NULL in a row of ' ~ relation ~ ', which would be in no range'
      ~ '.\nTo fix: read by a column that is never NULL, or from a view that gives such rows one.')
    }}, true)
)
{%- endmacro %}
