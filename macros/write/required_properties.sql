{#- Table properties that the names of the columns need: Delta maps what Parquet can't spell. -#}
{% macro required_properties(file_format, names) -%}
{%- set odd = [] -%}
{%- for name in names if modules.re.search('[ ,;{}()\n\t=]', name) -%}
{%- do odd.append(name) -%}
{%- endfor -%}
{{ return({'delta.columnMapping.mode': 'name'} if odd and file_format == 'delta' else {}) }}
{%- endmacro %}
