{#- A name as an identifier: any character may stand in it. -#}
{% macro quote(name) -%}
{{ return('`' ~ (name | string | replace('`', '``')) ~ '`') }}
{%- endmacro %}
