{#- What from_changelog takes, as a macro and as a model, and its defaults. -#}
{% macro decode_defaults() -%}
{{ return({
  'op': 'op', 'op_mapping': none, 'before': none, 'after': none, 'unique_key': none,
  'sequence_by': none, 'passthrough': none, 'consume_full_deletes': false,
  'invalid_op_handling': 'FAIL', 'tie_handling': 'FAIL', 'state_ttl': none, 'uid': none,
}) }}
{%- endmacro %}
