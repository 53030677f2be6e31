{#-
  A 64-bit hash of a whole row: rows are looked for by it, and compared after. So it may skip NULLs,
  and columns stand in it by name, whatever their order in the query.
-#}
{% macro row_hash_sql(plan) -%}
{%- set terms = [] -%}
{%- for column in plan.compared -%}
{%- do terms.append(dbt_changelog.hashable_sql(dbt_changelog.quote(column.name), column)) -%}
{%- endfor -%}
{{ return('xxhash64(' ~ terms | join(', ') ~ ')') }}
{%- endmacro %}
