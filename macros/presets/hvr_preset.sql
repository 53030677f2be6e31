{#-
  Fivetran HVR with time keys: columns hvr_op and hvr_integ_seq, to be added with the substitutions
  of these names. An update that moves its key has a row before it (3).
-#}
{% macro hvr_preset() -%}
{{ return({
  'page': 'https://fivetran.com/docs/hvr6/action-reference/columnproperties',
  'columns': {
    'reads': ['hvr_op', 'hvr_integ_seq'],
    'op': 'cast(hvr_op as string)',
    'orders': [{'order': ['cast(hvr_integ_seq as string)']}],
    'leaves_out': ['hvr_op', 'hvr_integ_seq', 'hvr_integ_key', 'hvr_cap_tstamp', 'hvr_cap_loc',
                   'hvr_cap_user', 'hvr_tx_id', 'hvr_tx_seq', 'hvr_tx_countdown'],
    'op_mapping': {'0': 'DELETE', '1': 'INSERT', '2': 'UPDATE_AFTER', '3, 4': 'UPDATE_BEFORE',
                   '5': 'TRUNCATE'},
  },
}) }}
{%- endmacro %}
