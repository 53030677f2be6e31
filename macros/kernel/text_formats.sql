{#- How row_text_sql writes times, for who reads them again: whole, and in no session's zone. -#}
{% macro text_formats() -%}
{{ return("'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX',"
          ~ " 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'") }}
{%- endmacro %}
