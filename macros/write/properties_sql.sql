{#- Table properties as the inside of a tblproperties clause; of a batch log, what its hex has. -#}
{% macro properties_sql(properties) -%}
{%- set items, log = [], dbt_changelog.from_chunks(properties) or {} -%}
{%- for part in ['batch', 'planned'] if part in log -%}
{%- do items.append('-- ' ~ part ~ ': ' ~ tojson(log[part]) ~ '\n') -%}
{%- endfor -%}
{%- for name, value in properties | dictsort -%}
{%- do items.append(dbt_changelog.literal(name) ~ ' = ' ~ dbt_changelog.literal(value)
  ~ (',\n' if not loop.last)) -%}
{%- endfor -%}
{{ return(items | join) }}
{%- endmacro %}
