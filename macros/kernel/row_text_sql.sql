{#-
  A row, or another value of some depth, as text: what differs has another text. Without the formats
  Spark writes a timestamp without its microseconds.
-#}
{% macro row_text_sql(row) -%}
{{ return('to_json(' ~ row ~ ", map('ignoreNullFields', 'false', "
          ~ dbt_changelog.text_formats() ~ '))') }}
{%- endmacro %}
