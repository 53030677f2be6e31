{#-
  CTEs as one query, read from top to bottom: its rows are those of the last one. columns: SQL, of
  what it selects; all, if there are none.
-#}
{% macro chain_sql(ctes, last, columns=[]) -%}
with {{ ctes | select | join(',\n\n') }}

select{{ '\n  ' ~ columns | join(',\n  ') if columns else ' *' }}
from {{ last }}
{%- endmacro %}
