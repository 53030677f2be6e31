{#- One new dict of several; the later ones win. Nothing that is given is written to. -#}
{% macro merged() -%}
{%- set all = {} -%}
{%- for part in varargs -%}
{%- do all.update(part) -%}
{%- endfor -%}
{{ return(all) }}
{%- endmacro %}
