{#- Names and texts as SQL. -#}

{#- A name as an identifier: any character may stand in it. -#}
{% macro quote(name) -%}
{{ return('`' ~ (name | string | replace('`', '``')) ~ '`') }}
{%- endmacro %}

{#- Quoted names in a row: csv(['id', 'line'], prefix='b.') gives "b.`id`, b.`line`". -#}
{% macro csv(names, prefix='', suffix='', separator=', ') -%}
{%- set items = [] -%}
{%- for name in names -%}
{%- do items.append(prefix ~ dbt_changelog.quote(name) ~ suffix) -%}
{%- endfor -%}
{{ return(items | join(separator)) }}
{%- endmacro %}

{#- A text as a SQL string literal, on one line; '${' would be a variable of Spark's. -#}
{% macro literal(text) -%}
{%- set escaped = (text | string) | replace('\\', '\\\\') | replace("'", "\\'") -%}
{{ return("'" ~ (escaped | replace('\n', '\\n') | replace('\r', '\\r')
    | replace('${', '\\u0024{')) ~ "'") }}
{%- endmacro %}

{#- Texts as SQL string literals in a row: the inside of an "in (..)" or an array. -#}
{% macro literals(texts) -%}
{%- set items = [] -%}
{%- for text in texts -%}
{%- do items.append(dbt_changelog.literal(text)) -%}
{%- endfor -%}
{{ return(items | join(', ')) }}
{%- endmacro %}
