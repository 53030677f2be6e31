{#-
  A column as something that can be compared and grouped: maps as sorted entries, variants as text.
  parts: what is in a nested column, where there are such types inside it (column_parts).
-#}
{% macro comparable_sql(column, type, parts=none) -%}
{%- set kind = type.split('<')[0] -%}
{%- set entries, inner = 'map_entries(' ~ column ~ ')', [] -%}
{%- for part in parts or [] -%}
{%- set place = column ~ '.' ~ dbt_changelog.quote(part.name) if kind == 'struct'
    else 'item' if kind == 'array' else 'item.' ~ part.name -%}
{%- do inner.append(dbt_changelog.comparable_sql(place, part.type, part.parts)) -%}
{%- endfor -%}
{%- if kind == 'variant' -%}
{{ return('to_json(' ~ column ~ ')') }}
{%- elif parts and kind == 'struct' -%}
{{ return('if(' ~ column ~ ' is null, null, struct(' ~ inner | join(', ') ~ '))') }}
{%- elif parts and kind == 'array' -%}
{{ return('transform(' ~ column ~ ', item -> ' ~ inner[0] ~ ')') }}
{%- elif parts -%}
{%- set entries = 'transform(' ~ entries ~ ', item -> struct(' ~ inner | join(', ') ~ '))' -%}
{%- endif -%}
{{ return('array_sort(' ~ entries ~ ')' if kind == 'map' else column) }}
{%- endmacro %}
