{#- The arguments of from_changelog, each one checked by itself; none becomes the default. -#}
{% macro decode_args(where, given) -%}
{%- set get = given.get -%}
{%- set choose, names = dbt_changelog.parse_choice, dbt_changelog.parse_names -%}
{%- set handling = get('invalid_op_handling') or 'FAIL' -%}
{%- set full_deletes = get('consume_full_deletes') is not none and get('consume_full_deletes') -%}
{{ return({
  'uid': get('uid'),
  'op': dbt_changelog.parse_column(where, 'op', get('op')) or 'op',
  'op_mapping': dbt_changelog.parse_op_mapping(where, get('op_mapping')),
  'before': dbt_changelog.parse_column(where, 'before', get('before')),
  'after': dbt_changelog.parse_column(where, 'after', get('after')),
  'passthrough': names(where, 'passthrough', get('passthrough')),
  'unique_key': names(where, 'unique_key', get('unique_key')),
  'sequence_by': names(where, 'sequence_by', get('sequence_by')),
  'tie_handling': choose(where, 'tie_handling', get('tie_handling') or 'FAIL', ['FAIL', 'LAST']),
  'invalid_op_handling':
    choose(where, 'invalid_op_handling', handling, ['FAIL', 'LOG', 'SKIP']),
  'consume_full_deletes': dbt_changelog.parse_flag(where, 'consume_full_deletes', full_deletes),
  'state_ttl': dbt_changelog.parse_duration(where, 'state_ttl', get('state_ttl')),
}) }}
{%- endmacro %}
