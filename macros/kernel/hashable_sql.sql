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
{%- set inner = dbt_changelog.part_sql(place, column, part) -%}
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
