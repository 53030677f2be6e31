{#-
  A column of a query as we store it. char(n) and varchar(n) become strings, which is also what
  Spark describes them as: as they are, a new table would limit their length too, and Delta fails to
  MERGE by such a key. sql: the column, where it is not there by its name.
-#}
{% macro plain_column_sql(name, columns, sql=none) -%}
{%- set column, types = dbt_changelog.quote(name), [] -%}
{%- for found in columns if found.name | lower == name | lower -%}
{%- do types.append(found.type) -%}
{%- endfor -%}
{%- if types and types[0] == 'string' -%}
{{ return('cast(' ~ (sql or column) ~ ' as string) as ' ~ column) }}
{%- endif -%}
{{ return((sql ~ ' as ' if sql else '') ~ column) }}
{%- endmacro %}
