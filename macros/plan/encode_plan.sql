{#-
  The arguments of to_changelog -> the part of a plan that encode needs.

  pairs: an update is one event with both images. That needs two image columns, and no code of its
  own for UPDATE_BEFORE.

  nets: the changelog is normalised first, where its mapping would lose a move (UPDATE_BEFORE has no
  code, or that of a row that is there) or needs a row that a changelog of upserts has not.
-#}
{% macro encode_plan(where, given) -%}
{%- set args = dbt_changelog.encode_args(where, given) -%}
{%- set images = args.before is not none or args.after is not none -%}
{%- set one_image = images and args.before == args.after -%}
{%- set kinds = dbt_changelog.mapped_kinds(args.op_mapping) -%}
{%- set codes_with = dbt_changelog.codes_with -%}
{%- set leaving = codes_with(args.op_mapping, ['UPDATE_BEFORE'])
    | reject('in', codes_with(args.op_mapping, dbt_changelog.live_kinds())) | list -%}
{%- set pairs = images and not one_image
    and not dbt_changelog.has_lone_update_before(args.op_mapping) -%}
{%- set plan = dbt_changelog.merged(args, {
  'function': 'to_changelog',
  'where': where,
  'nets': args.unique_key != [] and (
    pairs or not leaving or ('DELETE' in kinds and args.produces_full_deletes)
    or args.state_ttl is not none or args.tie_handling == 'LAST'),
  'knows_rows': false,
  'orderable': false,
  'images': images,
  'one_image': one_image,
  'pairs': pairs,
  'passthrough': args.passthrough if images else [],
}) -%}
{%- do dbt_changelog._check_encoding_together(plan, kinds) -%}
{%- do dbt_changelog.check_event_columns(plan) -%}
{{ return(plan) }}
{%- endmacro %}

{#- What to_changelog takes, as a macro and as a model, and its defaults. -#}
{% macro encode_defaults() -%}
{{ return({
  'op': 'op', 'encoding': none, 'op_mapping': none, 'before': none, 'after': none,
  'unique_key': none, 'passthrough': none, 'produces_full_deletes': true,
  'tie_handling': 'FAIL', 'state_ttl': none, 'uid': none,
}) }}
{%- endmacro %}

{#- Each argument checked by itself; none becomes the default. -#}
{% macro encode_args(where, given) -%}
{%- set column, names = dbt_changelog.parse_column, dbt_changelog.parse_names -%}
{%- set defaults = dbt_changelog.encode_defaults() -%}
{%- set values = dict(defaults, **dbt_changelog.given_args(given, defaults)) -%}
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

{#- The arguments of to_changelog together: what is missing, what excludes what. -#}
{% macro _check_encoding_together(plan, kinds) -%}
{%- set has_row = 'INSERT' in kinds or 'UPDATE_AFTER' in kinds -%}
{%- set has_old_row = 'DELETE' in kinds or dbt_changelog.has_lone_update_before(plan.op_mapping) -%}
{%- set known_key = plan.unique_key and not plan.unique_key | reject('in', plan.passthrough)
    | list -%}
{%- if plan.unique_key == [] and not plan.produces_full_deletes -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'unique_key',
    'produces_full_deletes=false keeps only the key of a deleted row, and no key was set',
    'name the key columns, or leave produces_full_deletes out') -%}
{%- elif plan.images and plan.after is none and has_row -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'after',
    'op_mapping has INSERT or UPDATE_AFTER, whose row is the after image, and it was not set',
    "name its column, for example after='after'") -%}
{%- elif plan.images and plan.before is none and has_old_row and not known_key -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'before',
    'op_mapping has a code for the row that is left, which is the before image, and it was not set',
    "name its column, for example before='before', or the column of after for both") -%}
{%- endif -%}
{%- endmacro %}

{#-
  No two columns of the events may have one name; in a macro the columns of the row are known to
  Spark only.
-#}
{% macro check_event_columns(plan) -%}
{%- set taken = ['_sequence', '_ordinal'] + ([] if plan.images
    else plan.get('payload', plan.unique_key)) -%}
{%- set names = [['op', plan.op]] -%}
{%- for side in ['before', 'after'] if plan[side] and not (side == 'after' and plan.one_image) -%}
{%- do names.append([side, plan[side]]) -%}
{%- endfor -%}
{%- for name in plan.passthrough -%}
{%- do names.append(['passthrough', name]) -%}
{%- endfor -%}
{%- for argument, name in names -%}
{%- if dbt_changelog.find_name(name, taken) is not none -%}
{%- do dbt_changelog.raise_invalid(plan.where, argument,
    "the events would have two columns '" ~ name ~ "'",
    'give one of them another name') -%}
{%- endif -%}
{%- do taken.append(name) -%}
{%- endfor -%}
{%- endmacro %}
