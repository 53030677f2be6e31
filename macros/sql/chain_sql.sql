{#- CTEs as one query, read from top to bottom: its rows are those of the last one. -#}
{% macro chain_sql(ctes, last, columns=' *') -%}
with {{ ctes | select | join(',\n\n') }}

select{{ columns }}
from {{ last }}
{%- endmacro %}
