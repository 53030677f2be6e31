{#-
  Table properties that the names of columns need, those inside their types too: Delta maps what
  Parquet can't spell.
-#}
{% macro required_properties(file_format, columns) -%}
{%- for column in columns if file_format == 'delta' -%}
{%- for name in modules.re.findall(
    '`((?:[^`]|``)*)`', dbt_changelog.quote(column.name) ~ column.type)
    if modules.re.search('[ ,;{}()\n\t=]', name) -%}
{{ return({'delta.columnMapping.mode': 'name'}) }}
{%- endfor -%}
{%- endfor -%}
{{ return({}) }}
{%- endmacro %}
