{#-
  A 64-bit hash of a whole row: rows are looked for by it, and compared after. So it may skip NULLs,
  and with that, and with columns by name, a new column or another order leaves it as it was.
-#}
{% macro row_hash_sql(plan) -%}
{%- set terms = [] -%}
{%- for column in plan.compared | sort(attribute='name') -%}
{%- do terms.append(
    dbt_changelog.comparable_sql(dbt_changelog.quote(column.name), column.type, column.parts)) -%}
{%- endfor -%}
{{ return('xxhash64(' ~ terms | join(', ') ~ ')') }}
{%- endmacro %}
