{#-
  A row as {row, equal}, to compare it (rows_equal_sql): what has no equality (maps, variants) by
  what stands for it, all else by the row itself. Where the columns are not known Spark chooses.
  shown: what to give as the row.
-#}
{% macro known_row_sql(plan, row, shown=none) -%}
{%- set columns = [] -%}
{%- for column in (plan.compared if plan.knows_rows and not plan.orderable else []) -%}
{%- do columns.append(dbt_changelog.comparable_sql(
    row ~ '.' ~ dbt_changelog.quote(column.name), column)) -%}
{%- endfor -%}
{%- if plan.knows_rows -%}
struct({{ shown or row }} as row
  {{- ', struct(' ~ columns | join(', ') ~ ') as equal' if not plan.orderable }})
{%- else -%}
struct(
  {{ shown or row }} as row,
  if(
    typeof({{ row }}) rlike 'map<|variant',
    {{ dbt_changelog.equal_text_sql(plan, row) | indent(4) }},
    null
  ) as equal
)
{%- endif -%}
{%- endmacro %}
