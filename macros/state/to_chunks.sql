{#-
  A document as table properties: JSON as hex, in chunks below 4,000 characters. Spark redacts
  values that look like secrets, and metastores cut long ones.
-#}
{% macro to_chunks(document) -%}
{%- set hex = tojson(document, sort_keys=true).encode('utf-8').hex() -%}
{%- set size, count = 3900, (hex | length + 3899) // 3900 -%}
{%- set properties = {'dbt_changelog.log.chunks': count | string} -%}
{%- for place in range(count) -%}
{%- do properties.update({'dbt_changelog.log.' ~ place: hex[place * size:(place + 1) * size]}) -%}
{%- endfor -%}
{{ return(properties) }}
{%- endmacro %}
