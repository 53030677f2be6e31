{#-
  The arguments of from_changelog -> the part of a plan that decode needs.

  given: {argument: value}. columns: {input, before, after}, each a list of {name, type}; none in a
  macro, which does not introspect: there names are taken as they are, and the payload is "all that
  the image has". rows: what parse_partial gives.
-#}
{% macro decode_plan(where, given, columns=none, rows={}) -%}
{%- set args = dbt_changelog._parsed_args(where, given) -%}
{%- set read = {
  'function': 'from_changelog',
  'where': where,
  'wire': none,
  'images': args.before is not none or args.after is not none,
  'one_image': args.before is not none and args.before == args.after,
  'has_update_before': dbt_changelog.has_lone_update_before(args.op_mapping),
  'state_backed': dbt_changelog._is_state_backed(args),
  'consume_full_deletes': args.consume_full_deletes or rows.get('on_conflict') is not none,
  'on_conflict': rows.get('on_conflict'),
  'absent': [],
  'lifted': [],
  'columns_not_sent': rows.get('columns_not_sent'),
  'soft_delete': rows.get('soft_delete'),
  'unavailable_value': rows.get('unavailable_value'),
  'partial': [],
  'since': 0,
  'adopted': 0,
  'compared': none,
  'orderable': false,
} -%}
{%- set asked = dbt_changelog.merged(args, read) -%}
{%- do dbt_changelog._check_together(asked, columns) -%}
{%- set names = [] -%}
{%- for item in args.sequence_by or [] if modules.re.fullmatch('\\w+', item) -%}
{%- do names.append(item) -%}
{%- endfor -%}
{%- set found = dbt_changelog.resolved_columns(asked, columns) if columns is not none else {
  'columns': none, 'op_type': none, 'payload': none, 'uncompared': [], 'sequence_names': names,
} -%}
{%- set plan = dbt_changelog.merged(asked, found) -%}
{{ return(dbt_changelog.merged(plan, {'moves': dbt_changelog._has_moves(plan)})) }}
{%- endmacro %}

{#- What from_changelog takes, as a macro and as a model, and its defaults. -#}
{% macro decode_defaults() -%}
{{ return({
  'op': 'op', 'op_mapping': none, 'before': none, 'after': none, 'unique_key': none,
  'sequence_by': none, 'passthrough': none, 'consume_full_deletes': false,
  'invalid_op_handling': 'FAIL', 'tie_handling': 'FAIL', 'state_ttl': none, 'uid': none,
}) }}
{%- endmacro %}

{#- What a config says of some arguments. -#}
{% macro given_args(config, defaults) -%}
{%- set given = {} -%}
{%- for name in defaults if config.get(name) is not none -%}
{%- do given.update({name: config.get(name)}) -%}
{%- endfor -%}
{{ return(given) }}
{%- endmacro %}

{#- Each argument checked by itself; none becomes the default. -#}
{% macro _parsed_args(where, given) -%}
{%- set choose, column = dbt_changelog.parse_choice, dbt_changelog.parse_column -%}
{%- set names, defaults = dbt_changelog.parse_names, dbt_changelog.decode_defaults() -%}
{%- set values = dict(defaults, **dbt_changelog.given_args(given, defaults)) -%}
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

{#- The arguments of from_changelog together: what is missing, what excludes what. -#}
{% macro _check_together(plan, columns) -%}
{%- set kinds = dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- if 'TRUNCATE' in kinds and columns is none -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'op_mapping', 'TRUNCATE deletes keys of a table, and'
    ~ ' the macro knows none', "leave that code out, or use materialized='from_changelog'") -%}
{%- endif -%}
{%- set has_upsert = 'INSERT' in kinds or 'UPDATE_AFTER' in kinds -%}
{%- set has_retract = 'UPDATE_BEFORE' in kinds or 'DELETE' in kinds -%}
{%- if plan.unique_key and not plan.sequence_by -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'sequence_by',
    'it is required with unique_key, because tables have no order, and was not set',
    "name the column that orders the changes of a key, for example sequence_by='lsn'") -%}
{%- elif plan.on_conflict -%}
{%- do dbt_changelog.check_retractions(plan, kinds) -%}
{%- elif plan.state_backed and not plan.unique_key -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'unique_key',
    'op_mapping or state_ttl needs the previous row of a key, and no key was set',
    'name the key columns, or map codes that need no previous row') -%}
{%- elif 'UPDATE_AFTER' in kinds and 'UPDATE_BEFORE' not in kinds and not plan.unique_key -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'unique_key',
    'op_mapping has UPDATE_AFTER without UPDATE_BEFORE: an upsert needs a key',
    'name the key columns, or map a code to UPDATE_BEFORE too') -%}
{%- elif not plan.unique_key and plan.images and plan.passthrough and has_retract -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'passthrough',
    'a retraction has its own values of it, so without a key it never cancels its insert',
    'set unique_key, or leave passthrough out') -%}
{%- elif plan.images and plan.after is none and has_upsert -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'after',
    'op_mapping gives INSERT or UPDATE_AFTER, whose row is the after image, and it was not set',
    "name its column, for example after='after'") -%}
{%- elif plan.images and plan.before is none and 'DELETE' in kinds
    and (plan.consume_full_deletes or not plan.unique_key) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'before',
    'op_mapping gives DELETE, whose full row is the before image, and it was not set',
    "name its column, or set unique_key and consume_full_deletes=false: then the key is enough")
-%}
{%- endif -%}
{%- endmacro %}

{#-
  Whether the mapping needs what one event has not: was the key there, and how did it look.

  INSERT in a group, UPDATE_BEFORE without a before image of its own, or a state_ttl.
-#}
{% macro _is_state_backed(args) -%}
{%- if args.state_ttl is not none -%}
{{ return(true) }}
{%- endif -%}
{%- set no_before = args.before is none or args.before == args.after -%}
{%- for entry in args.op_mapping -%}
{%- set is_group = entry.kinds | length > 1 -%}
{%- if (is_group and ('INSERT' in entry.kinds or no_before))
    or (entry.kinds == ['UPDATE_BEFORE'] and args.after is not none and args.before is none) -%}
{{ return(true) }}
{%- endif -%}
{%- endfor -%}
{{ return(false) }}
{%- endmacro %}

{#- Whether an event can move its row to another key: it has both images, and both have the key. -#}
{% macro _has_moves(plan) -%}
{%- set kinds = dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- if not plan.unique_key or plan.on_conflict or plan.before is none or plan.after is none
    or plan.one_image or 'UPDATE_AFTER' not in kinds -%}
{{ return(false) }}
{%- endif -%}
{%- for name in plan.unique_key if plan.columns -%}
{%- if dbt_changelog.find_name(name, plan.columns.before | map(attribute='name')) is none -%}
{{ return(false) }}
{%- endif -%}
{%- endfor -%}
{{ return(true) }}
{%- endmacro %}
