{#-
  A row as {row, text}, to compare it (rows_equal_sql): what has no equality (maps, variants) by the
  text, all else by the row itself. Where the columns are not known Spark chooses. shown: what to
  give as the row.
-#}
{% macro known_row_sql(plan, row, shown=none) -%}
{%- set text = 'to_json(parse_json(' ~ dbt_changelog.row_text_sql(row) ~ '))' -%}
{%- if plan.knows_rows -%}
struct({{ shown or row }} as row
  {{- ', ' ~ text ~ ' as text' if not plan.orderable }})
{%- else -%}
struct(
  {{ shown or row }} as row,
  if(
    typeof({{ row }}) rlike 'map<|variant',
    {{ text }},
    null
  ) as text
)
{%- endif -%}
{%- endmacro %}
