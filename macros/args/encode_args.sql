{#- The arguments of to_changelog, each one checked by itself; none becomes the default. -#}
{% macro encode_args(where, given) -%}
{%- set column, names = dbt_changelog.parse_column, dbt_changelog.parse_names -%}
{%- set values = dict(dbt_changelog.encode_defaults()) -%}
{%- for name, value in given | dictsort if value is not none -%}
{%- do values.update({name: value}) -%}
{%- endfor -%}
{{ return({
  'uid': column(where, 'uid', values.uid),
  'op': column(where, 'op', values.op),
  'encoding': values.encoding,
  'op_mapping': dbt_changelog.parse_kind_mapping(where, values.op_mapping
    if values.encoding is none else dbt_changelog.encoding_mapping(where, values)),
  'before': column(where, 'before', values.before),
  'after': column(where, 'after', values.after),
  'passthrough': names(where, 'passthrough', values.passthrough),
  'unique_key': names(where, 'unique_key', values.unique_key),
  'tie_handling':
    dbt_changelog.parse_choice(where, 'tie_handling', values.tie_handling, ['FAIL', 'LAST']),
  'produces_full_deletes':
    dbt_changelog.parse_flag(where, 'produces_full_deletes', values.produces_full_deletes),
  'state_ttl': dbt_changelog.parse_duration(where, 'state_ttl', values.state_ttl),
}) }}
{%- endmacro %}
