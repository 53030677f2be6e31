{#-
  A column as something whose hash tells all of it: nested ones as text, since the hash of a struct
  or an array skips their NULLs. Read again, the text of -0.0 is that of 0.0.
-#}
{% macro hashable_sql(column, type, parts=none) -%}
{%- set comparable = dbt_changelog.comparable_sql(column, type, parts) -%}
{%- if not modules.re.match('(map|struct|array)<', type) -%}
{{ return(comparable) }}
{%- endif -%}
{%- set text = dbt_changelog.row_text_sql('struct(' ~ comparable ~ ')') -%}
{{ return('to_json(parse_json(' ~ text ~ '))' if modules.re.search('float|double', type)
          else text) }}
{%- endmacro %}
