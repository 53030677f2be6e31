{#-
  A column as something whose hash tells all of it: nested ones as text, since the hash of a struct
  or an array skips their NULLs.
-#}
{% macro hashable_sql(column, type, parts=none) -%}
{%- set comparable = dbt_changelog.comparable_sql(column, type, parts) -%}
{{ return('to_json(struct(' ~ comparable ~ "), map('ignoreNullFields', 'false'))"
          if modules.re.match('(map|struct|array)<', type) else comparable) }}
{%- endmacro %}
