{#-
  The op mapping of an encoding. The codes are row kinds, so that from_changelog reads it without a
  mapping.
-#}
{% macro encoding_mapping(where, values) -%}
{%- set mappings = {
  'append': {'INSERT': 'INSERT'},
  'upsert': {'INSERT, UPDATE_AFTER': 'UPDATE_AFTER', 'DELETE': 'DELETE'},
  'retract': {'INSERT': 'INSERT', 'UPDATE_AFTER': 'INSERT',
              'UPDATE_BEFORE': 'DELETE', 'DELETE': 'DELETE'},
} -%}
{%- set encoding = dbt_changelog.parse_choice(where, 'encoding', values.encoding, mappings | list)
-%}
{%- if values.op_mapping is not none -%}
{%- do dbt_changelog.raise_invalid(where, 'encoding', 'it is an op_mapping, and there is one too',
    'leave out one of the two') -%}
{%- elif encoding == 'upsert' and not values.unique_key -%}
{%- do dbt_changelog.raise_invalid(where, 'unique_key',
    "encoding='upsert' knows rows by their key, and no key was set",
    "name the key columns, or set encoding='retract', which needs none") -%}
{%- endif -%}
{{ return(mappings[encoding]) }}
{%- endmacro %}
