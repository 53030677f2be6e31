{#-
  Whether a value is the placeholder: the text, its bytes, those in base64, an array or a map with
  it, or its UUID, as the only element, a place of PostGIS that is none; none of a type that can't
  hold it. As Debezium's class UnchangedToastedPlaceholder makes them.
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
{%- set uuid = dbt_changelog.literal(dbt_changelog._uuid_of(text)) -%}
{{ return(name ~ ' in (array(' ~ value ~ '), array(' ~ base64 ~ '), array(' ~ uuid ~ '))') }}
{%- elif type == 'array<binary>' -%}
{{ return(name ~ ' = array(' ~ binary ~ ')') }}
{%- elif modules.re.fullmatch('array<(tinyint|smallint|int|bigint)>', type) -%}
{{ return(name ~ ' = cast(array(' ~ bytes | list | join(', ') ~ ') as ' ~ type ~ ')') }}
{%- elif type == 'map<string,string>' -%}
{{ return('size(' ~ name ~ ') = 1 and ' ~ name ~ '[' ~ value ~ '] = ' ~ value) }}
{%- elif type in ['struct<wkb:binary,srid:int>', 'struct<srid:int,wkb:binary>'] -%}
{{ return(name ~ ".wkb in (X'0101000020e6100000000000fc83d797c1000000fc83d797c1',"
          ~ " X'0101000020e61000000c21e7fdff7f66401842cefbff7f5640')") }}
{%- endif -%}
{{ return(none) }}
{%- endmacro %}

{#- The UUID that Java makes of a text, by its MD5: UUID.nameUUIDFromBytes. -#}
{% macro _uuid_of(text) -%}
{%- set hex = local_md5(text) -%}
{{ return([hex[:8], hex[8:12], '3' ~ hex[13:16],
           '89ab'[hex[16] | int(base=16) % 4] ~ hex[17:20], hex[20:]] | join('-')) }}
{%- endmacro %}

{#-
  Whether the value of a column was not sent; none if all of its values are. value, unsent: SQL of
  the value, and of the array that names the columns that were not.
-#}
{% macro unsent_value_sql(plan, column, value, unsent) -%}
{%- set ways = [] -%}
{%- set placeholder = dbt_changelog.placeholder_sql(plan.unavailable_value, value, column.type) -%}
{%- do ways.append(value ~ ' is null') if dbt_changelog._ignores_nulls(plan, column.name) -%}
{%- do ways.append('coalesce(' ~ placeholder ~ ', false)') if placeholder -%}
{#- a format spells the names as the columns are -#}
{%- do ways.append('coalesce(' ~ ('array_contains(' ~ unsent ~ ', '
    ~ dbt_changelog.literal(column.name) if plan.get('wire')
    else 'exists(' ~ unsent ~ ', _dbtc_name -> lower(_dbtc_name) = '
    ~ dbt_changelog.literal(column.name | lower)) ~ '), false)') if unsent -%}
{{ return(ways | join(' or ') or none) }}
{%- endmacro %}

{#- Whether NULL means of a column that it was not sent: ignore_null_updates. -#}
{% macro _ignores_nulls(plan, name) -%}
{%- set asked = plan.ignore_null_updates or [] -%}
{%- if asked is boolean -%}
{{ return(true) }}
{%- endif -%}
{%- set names = asked['except'] if asked is mapping else asked -%}
{{ return((name | lower in names | map('lower')) == (asked is not mapping)) }}
{%- endmacro %}
