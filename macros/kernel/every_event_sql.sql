{#-
  The CTE events, all of it, as what Spark moves no filter below: a query that parses JSON would
  parse it again for each check of its events. Delta keeps the rows of such a source, too, and does
  not read them twice.
-#}
{% macro every_event_sql() -%}
{{ return('events tablesample (100 percent)  -- all of them; their JSON is parsed once so') }}
{%- endmacro %}
