{#-
  A row whose columns are not known as a text that equal rows share. Read again, a text has the
  entries of a map in order, and 0 for -0.0; Spark knows the type of the row before it runs, and
  leaves out what that does not need.
-#}
{% macro equal_text_sql(row) -%}
{%- set text = dbt_changelog.row_text_sql(row) -%}
{{ return('if(typeof(' ~ row ~ ") rlike 'map<|variant|float|double', to_json(parse_json("
          ~ text ~ ')), ' ~ text ~ ')') }}
{%- endmacro %}
