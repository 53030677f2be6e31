{#-
  A row with the columns of another: by name, with NULL for what it lacks. Neither's columns are
  known here, but Spark knows the types. Where these are one, nobody reads this.
-#}
{% macro read_as_sql(row, other) -%}
from_json(
  {{ dbt_changelog.row_text_sql(row) }},
  if(typeof({{ row }}) = typeof({{ other }}), 'struct<_:int>', typeof({{ other }})),
  map({{ dbt_changelog.text_formats() }})
)
{%- endmacro %}
