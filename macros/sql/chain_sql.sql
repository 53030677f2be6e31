{#-
  CTEs as one query, read from top to bottom: its rows are those of the last one. columns: SQL, of
  what it selects; all, if there are none.

  sorted_by: columns. Spark looks for their ranges before it sorts, so it would make the rows twice
  without an exchange before: by these columns, or else it would sort there, too.
-#}
{% macro chain_sql(ctes, last, columns=[], sorted_by=[]) -%}
{%- set by = dbt_changelog.csv(sorted_by) -%}
with {{ ctes | select | join(',\n\n') }}

select{{ ' /*+ rebalance(' ~ by ~ ') */' if by }}
{{- '\n  ' ~ columns | join(',\n  ') if columns else ' *' }}
from {{ last }}
{{- '\norder by ' ~ by if by }}
{%- endmacro %}
