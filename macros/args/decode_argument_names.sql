{#- What from_changelog takes, as a macro and as a model. -#}
{% macro decode_argument_names() -%}
{{ return(['op', 'op_mapping', 'before', 'after', 'unique_key', 'sequence_by', 'passthrough',
           'consume_full_deletes', 'invalid_op_handling', 'tie_handling', 'state_ttl', 'uid']) }}
{%- endmacro %}
