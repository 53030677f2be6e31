{#- A text as a SQL string literal, on one line; '${' would be a variable of Spark's. -#}
{% macro literal(text) -%}
{%- set escaped = (text | string) | replace('\\', '\\\\') | replace("'", "\\'") -%}
{{ return("'" ~ (escaped | replace('\n', '\\n') | replace('\r', '\\r')
    | replace('${', '\\u0024{')) ~ "'") }}
{%- endmacro %}
