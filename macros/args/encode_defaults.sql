{#- What to_changelog takes, as a macro and as a model, and its defaults. -#}
{% macro encode_defaults() -%}
{{ return({
  'op': 'op', 'encoding': none, 'op_mapping': none, 'before': none, 'after': none,
  'unique_key': none, 'passthrough': none, 'produces_full_deletes': true,
  'tie_handling': 'FAIL', 'state_ttl': none, 'uid': none,
}) }}
{%- endmacro %}
