{#- The arguments of from_changelog, each one checked by itself; none becomes the default. -#}
{% macro decode_args(where, given) -%}
{%- set choose, column = dbt_changelog.parse_choice, dbt_changelog.parse_column -%}
{%- set names, defaults = dbt_changelog.parse_names, dbt_changelog.decode_defaults() -%}
{%- set values = dict(defaults) -%}
{%- for name, value in given | dictsort if value is not none -%}
{%- do values.update({name: value}) -%}
{%- endfor -%}
{{ return({
  'uid': column(where, 'uid', values.uid),
  'op': column(where, 'op', values.op),
  'op_mapping': dbt_changelog.parse_op_mapping(where, values.op_mapping),
  'before': column(where, 'before', values.before),
  'after': column(where, 'after', values.after),
  'passthrough': names(where, 'passthrough', values.passthrough),
  'unique_key': names(where, 'unique_key', values.unique_key),
  'sequence_by': names(where, 'sequence_by', values.sequence_by),
  'tie_handling': choose(where, 'tie_handling', values.tie_handling, ['FAIL', 'LAST']),
  'invalid_op_handling':
    choose(where, 'invalid_op_handling', values.invalid_op_handling, ['FAIL', 'LOG', 'SKIP']),
  'consume_full_deletes':
    dbt_changelog.parse_flag(where, 'consume_full_deletes', values.consume_full_deletes),
  'state_ttl': dbt_changelog.parse_duration(where, 'state_ttl', values.state_ttl),
}) }}
{%- endmacro %}
