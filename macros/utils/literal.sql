{#- A text as a SQL string literal, on one line. -#}
{% macro literal(text) -%}
{%- set escaped = (text | string) | replace('\\', '\\\\') | replace("'", "\\'") -%}
{{ return("'" ~ (escaped | replace('\n', '\\n') | replace('\r', '\\r')) ~ "'") }}
{%- endmacro %}
