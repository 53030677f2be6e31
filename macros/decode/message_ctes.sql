{#-
  Messages that are JSON text in the column `value`, as CTEs: without null records, each field a
  column, an event for each item of an array. Their columns are those of the query and the fields.
-#}
{% macro message_ctes(wire) -%}
messages as (
  select
    * except (`value`),
    {{ dbt_changelog._parsed_sql('cast(`value` as string)', wire.schema) | indent(4) }}
      as _dbtc_message
  from source_events
  where octet_length(`value`) > 0
),

envelopes as (
  select
    * except (_dbtc_message),
    {{ dbt_changelog._fields_sql(wire) | indent(4) }}
    _dbtc_message._dbtc_unread
  from {{ dbt_changelog.every_row_sql('messages') }}
),
{%- if wire.explode %}

message_items as (
  select
    {{ dbt_changelog.rest_sql(wire.explode + ['_dbtc_item', '_dbtc_place']) }},
    coalesce(_dbtc_place, 0) as _place,
{%- for name in wire.explode %}
    {{ '_dbtc_item' if loop.first else 'get(' ~ dbt_changelog.quote(name) ~ ', _dbtc_place)' }}
      as {{ dbt_changelog.quote(name) }}{{ ',' if not loop.last or wire.of_message }}
{%- endfor %}
{%- for name, sql in wire.of_message.items() %}
    {{ sql }} as {{ name }}{{ ',' if not loop.last }}
{%- endfor %}
  from envelopes
  lateral view outer posexplode({{ dbt_changelog.quote(wire.explode[0]) }})
    as _dbtc_place, _dbtc_item
),
{%- endif %}
{%- if wire.derived %}

message_values as (
  select
    *,
{%- for name, sql in wire.derived.items() %}
    {{ sql }} as {{ name }}{{ ',' if not loop.last }}
{%- endfor %}
  from {{ dbt_changelog.message_cte(dict(wire, derived=none)) }}
),
{%- endif %}
{%- endmacro %}

{#- Which CTE has the fields of a message; those of the query, where they are columns. -#}
{% macro message_cte(wire) -%}
{{ return('source_events' if not wire.schema else 'message_values' if wire.derived
          else 'message_items' if wire.explode else 'envelopes') }}
{%- endmacro %}

{#- JSON as a schema says; all of it in _dbtc_unread, where a value does not fit. -#}
{% macro _parsed_sql(text, schema) -%}
from_json(
  {{ text }},
  {{ dbt_changelog.literal(schema ~ ', _dbtc_unread string') }},
  map('columnNameOfCorruptRecord', '_dbtc_unread')
)
{%- endmacro %}

{#- The fields of a message; they may lie inside of one, beside a schema. -#}
{% macro _fields_sql(wire) -%}
{%- for name in wire.fields -%}
{%- set field = '_dbtc_message.' ~ dbt_changelog.quote(name) -%}
{%- set value = 'coalesce(_dbtc_message.' ~ wire.inside ~ '.' ~ dbt_changelog.quote(name) ~ ', '
    ~ field ~ ')' if wire.inside else field -%}
{{ dbt_changelog._parsed_sql(value, wire.documents[name]) if name in wire.documents else value }}
  {{- ' as ' ~ dbt_changelog.quote(name) ~ ',' }}
{{- '\n' if not loop.last }}
{%- endfor -%}
{%- endmacro %}
