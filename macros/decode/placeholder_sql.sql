{#-
  Whether a value is the placeholder: the text, its bytes, those in base64, an array or a map with
  it as the only element; none of a type that can't hold it.
-#}
{% macro placeholder_sql(text, name, type) -%}
{%- if not text -%}
{{ return(none) }}
{%- endif -%}
{%- set value = dbt_changelog.literal(text) -%}
{%- set bytes = text.encode('utf-8') -%}
{%- set binary = "X'" ~ bytes.hex() ~ "'" -%}
{%- set base64 = 'base64(' ~ binary ~ ')' -%}
{%- if type == 'string' -%}
{{ return(name ~ ' in (' ~ value ~ ', ' ~ base64 ~ ')') }}
{%- elif type == 'binary' -%}
{{ return(name ~ ' = ' ~ binary) }}
{%- elif type == 'array<string>' -%}
{{ return(name ~ ' in (array(' ~ value ~ '), array(' ~ base64 ~ '))') }}
{%- elif type == 'array<binary>' -%}
{{ return(name ~ ' = array(' ~ binary ~ ')') }}
{%- elif modules.re.fullmatch('array<(tinyint|smallint|int|bigint)>', type) -%}
{{ return(name ~ ' = cast(array(' ~ bytes | list | join(', ') ~ ') as ' ~ type ~ ')') }}
{%- elif type == 'map<string,string>' -%}
{{ return('size(' ~ name ~ ') = 1 and ' ~ name ~ '[' ~ value ~ '] = ' ~ value) }}
{%- endif -%}
{{ return(none) }}
{%- endmacro %}
