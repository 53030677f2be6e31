{#- Table properties -> the document that to_chunks made of them, or none. -#}
{% macro from_chunks(properties) -%}
{%- set count = properties.get('dbt_changelog.log.chunks') -%}
{%- if count is none -%}
{{ return(none) }}
{%- endif -%}
{%- set chunks = [] -%}
{%- for place in range(count | int) -%}
{%- do chunks.append(properties['dbt_changelog.log.' ~ place]) -%}
{%- endfor -%}
{{ return(fromjson(''.encode().fromhex(chunks | join).decode('utf-8'))) }}
{%- endmacro %}
