{#-
  Seeds as they are: over method session dbt-spark loads an empty text as the word None, and breaks
  at a quote.
-#}
{% macro spark__load_csv_rows(model, agate_table) -%}
{%- set types = model.config.column_types -%}
{%- set rows = [] -%}
{%- for row in agate_table.rows -%}
{%- set values = [] -%}
{%- for name in agate_table.column_names -%}
{%- set value = row[name] -%}
{%- set literal = 'null' if value is none
    else "'" ~ (value | string | replace('\\', '\\\\') | replace("'", "\\'")) ~ "'" -%}
{%- do values.append('cast(' ~ literal ~ ' as ' ~ types[name] ~ ')') -%}
{%- endfor -%}
{%- do rows.append('(' ~ values | join(', ') ~ ')') -%}
{%- endfor -%}
{%- set sql = 'insert into ' ~ this ~ ' values\n' ~ rows | join(',\n') -%}
{%- do adapter.add_query(sql) -%}
{{ return(sql) }}
{%- endmacro %}
