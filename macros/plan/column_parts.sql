{#-
  What is in a nested column of a query, if there are maps or variants inside it, which have no
  equality: [{name, type, parts}]; else none. By analysis, since a type's text is no type: it cuts
  long structs short, and names stand in it without quotes.
-#}
{% macro column_parts(query, column) -%}
{%- if not modules.re.search('.(map<|variant)|more fields', column.type) -%}
{{ return(none) }}
{%- endif -%}
{%- set query, parts = dbt_changelog.inside_sql(query, column), [] -%}
{%- for part in dbt_changelog.describe_query(query) -%}
{%- do parts.append(dict(part, parts=dbt_changelog.column_parts(query, part))) -%}
{%- endfor -%}
{{ return(parts) }}
{%- endmacro %}
