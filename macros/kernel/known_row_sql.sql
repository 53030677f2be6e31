{#-
  A row whose columns are not known, as {row, text}: what has no equality (maps, variants) is
  compared by the text, all else by the row itself. shown: what to give as the row.
-#}
{% macro known_row_sql(row, shown=none) -%}
struct(
  {{ shown or row }} as row,
  if(
    typeof({{ row }}) rlike 'map<|variant',
    to_json(parse_json({{ dbt_changelog.row_text_sql(row) }})),
    null
  ) as text
)
{%- endmacro %}
