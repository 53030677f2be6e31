{#-
  A column as something that Spark can compare, group and sort, where equal values and only they are
  equal: maps as sorted entries, variants as text. place: SQL; column: {type, parts}.

  leaves: more types to convert, to what has one spelling: for texts, 0.0 and -0.0.
-#}
{% macro comparable_sql(place, column, leaves=[]) -%}
{%- set kind, inner = column.type.split('<')[0], [] -%}
{%- if kind == 'variant' -%}
{#- its zone is the session's, and 1 is not written as 1.0 -#}
{{ return('to_json(parse_json(to_json(' ~ place ~ ", map('timeZone', 'UTC'))))") }}
{%- elif kind in leaves -%}
{{ return('(' ~ place ~ ' + cast(0 as ' ~ kind ~ '))') }}
{%- elif not dbt_changelog._is_converted(column, leaves) -%}
{{ return(place) }}
{%- endif -%}
{%- for part in column.parts -%}
{%- set name = dbt_changelog.quote(part.name) -%}
{%- do inner.append(dbt_changelog.comparable_sql(
    dbt_changelog._part_sql(place, column, part), part, leaves)
    ~ (' as ' ~ name if kind == 'struct')) -%}
{%- endfor -%}
{%- if kind == 'struct' -%}
{{ return('if(' ~ place ~ ' is null, null, struct(' ~ inner | join(', ') ~ '))') }}
{%- elif kind == 'array' -%}
{{ return('transform(' ~ place ~ ', item -> ' ~ inner[0] ~ ')') }}
{%- endif -%}
{%- set entries = 'map_entries(' ~ place ~ ')' -%}
{%- set sorted = 'array_sort(' ~ (entries if inner == ['item.key', 'item.value']
    else 'transform(' ~ entries ~ ', item -> struct(' ~ inner[0] ~ ' as key, ' ~ inner[1]
         ~ ' as value))')
    ~ (dbt_changelog._by_key_sql() if 'map_from_entries(' in inner[1] else '') ~ ')' -%}
{#- in a text it is an object again -#}
{{ return('map_from_entries(' ~ sorted ~ ')' if leaves and column.parts[0].type == 'string'
          else sorted) }}
{%- endmacro %}

{#- How entries are sorted whose values have no order: a key is there once. -#}
{% macro _by_key_sql() -%}
{{ return(', (left, right) -> case when left.key < right.key then -1'
          ~ ' when left.key > right.key then 1 else 0 end') }}
{%- endmacro %}

{#-
  A column as something whose xxhash64 depends on all of its value and on nothing else. xxhash64
  skips NULLs and where an array ends, so what is inside a nested column is hashed with both.
-#}
{% macro hashable_sql(place, column) -%}
{%- set kind = column.type.split('<')[0] -%}
{%- if not column.parts -%}
{{ return(dbt_changelog.comparable_sql(place, column)) }}
{%- endif -%}
{%- set terms = [] -%}
{%- for part in column.parts -%}
{%- set inner = dbt_changelog._part_sql(place, column, part) -%}
{%- do terms.append('isnull(' ~ inner ~ '), ' ~ dbt_changelog.hashable_sql(inner, part)) -%}
{%- endfor -%}
{%- set hash = 'xxhash64(' ~ terms | join(', ') ~ ')' -%}
{%- if kind == 'struct' -%}
{{ return(hash) }}
{%- elif kind == 'array' -%}
{{ return('xxhash64(array_size(' ~ place ~ '), transform(' ~ place ~ ', item -> ' ~ hash ~ '))') }}
{%- endif -%}
{{ return('xxhash64(array_size(map_keys(' ~ place ~ ')), array_sort(transform(map_entries('
          ~ place ~ '), item -> ' ~ hash ~ ')))') }}
{%- endmacro %}

{#-
  A row, or another value of some depth, as text: what differs has another text. Without the formats
  Spark writes a timestamp without its microseconds.
-#}
{% macro row_text_sql(row) -%}
{{ return('to_json(' ~ row ~ ", map('ignoreNullFields', 'false', "
          ~ dbt_changelog.text_formats() ~ '))') }}
{%- endmacro %}

{#-
  How row_text_sql writes times, for whoever reads them again: whole, and in no session's zone.
-#}
{% macro text_formats() -%}
{{ return("'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX',"
          ~ " 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'") }}
{%- endmacro %}

{#- Whether anything in a column is converted. -#}
{% macro _is_converted(column, leaves) -%}
{%- if column.type.split('<')[0] in ['map', 'variant'] + leaves -%}
{{ return(true) }}
{%- endif -%}
{%- for part in column.parts or [] if dbt_changelog._is_converted(part, leaves) -%}
{{ return(true) }}
{%- endfor -%}
{{ return(false) }}
{%- endmacro %}

{#-
  Where a part of a nested column is: a field of a struct; in a lambda, an item or half an entry.
-#}
{% macro _part_sql(place, column, part) -%}
{{ return({
  'struct': place ~ '.' ~ dbt_changelog.quote(part.name),
  'array': 'item',
  'map': 'item.' ~ part.name,
}[column.type.split('<')[0]]) }}
{%- endmacro %}
