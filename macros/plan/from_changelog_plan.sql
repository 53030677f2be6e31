{#-
  Configs and query of a from_changelog model -> its plan: one document, checked as a whole, before
  anything is written, and never written to. node: the model as in graph.nodes; relation: what dbt
  means by its name.
-#}
{% macro from_changelog_plan(node, query, relation) -%}
{%- set where, config = dbt_changelog.model_where(node), node.config -%}
{%- do dbt_changelog.check_model_config(where, node) -%}
{%- do dbt_changelog.check_catalogs(where, node, relation) -%}
{%- set format = dbt_changelog.parse_format(where, dbt_changelog.as_read(node), query) -%}
{%- do dbt_changelog._check_op_of_format(where, node, format.wire, query) -%}
{%- set own = dbt_changelog.given_args(config, dbt_changelog.decode_defaults()) -%}
{#- an op of the config is an expression that the format takes in place of its own -#}
{%- set given = dict(dict(format.defaults, **own), op='_op') if format.wire else own -%}
{%- set rows = dict(dbt_changelog.parse_partial(where, node, format.defaults),
                    **dbt_changelog.parse_on_conflict(where, node)) -%}
{%- set decoding = dbt_changelog.decode_plan(where, given, dbt_changelog.input_columns(
    where, given, dbt_changelog._events_query(format.wire, query)), rows) -%}
{%- set tables = dbt_changelog.model_tables(node, relation) -%}
{%- set decoding = dict(decoding, state_backed=decoding.state_backed
    or dbt_changelog.kernel_of(tables.kernel).compares_states) -%}
{%- set changelog = dbt_changelog.parse_flag(where, 'changelog', config.get('changelog') or false)
-%}
{%- set asked = {
  'filled_in': dbt_changelog.filled_in(format, node),
  'wire': format.wire,
  'query': dbt_changelog.model_query(query),
  'read': dbt_changelog.model_read(node),
  'compact_above': dbt_changelog.parse_merge(where, node),
  'compacted': 0,
  'group': dbt_changelog.parse_group(where, node),
  'adopt': dbt_changelog.parse_adopt(where, node),
  'changelog': changelog,
  'has_update_before': dbt_changelog._applies_update_before(decoding, changelog),
  'on_schema_change': dbt_changelog._schema_change(where, node),
  'counters': dbt_changelog.parse_choice(
    where, 'counters', config.get('counters') or 'free', ['free', 'full']),
  'tombstone_retention': dbt_changelog._retention(where, config),
  'compact_every': dbt_changelog._compact_every(where, node),
  'versions': dbt_changelog.parse_versions(where, node),
  'storage': dbt_changelog.model_storage(where, node, decoding.payload + decoding.passthrough),
  'truncates': 'TRUNCATE' in dbt_changelog.mapped_kinds(decoding.op_mapping),
} -%}
{%- set plan = dbt_changelog.with_flag(dbt_changelog.merged(
    rows, decoding, tables, dbt_changelog.run_settings(node), asked)) -%}
{%- do dbt_changelog._check_keyless_read(plan) -%}
{%- do dbt_changelog.check_versions(plan) -%}
{%- set columns = dbt_changelog._decoded_columns(plan) -%}
{%- set partial = dbt_changelog.partial_columns(plan, columns.compared) -%}
{%- do dbt_changelog.check_partial(plan, partial) -%}
{%- do dbt_changelog.check_row_columns(plan, columns.compared) -%}
{{ return(dbt_changelog.merged(plan, columns, {
  'watermark': dbt_changelog.parse_watermark(node, plan, columns.sequence),
  'partial': partial,
  'keeps_deletes': plan.soft_delete is not none and partial != [] and not plan.versions,
  'constraints': dbt_changelog.plan_constraints(dict(plan, partial=partial), node),
  'partition_checks': dbt_changelog.partition_checks(plan, columns.state_columns),
})) }}
{%- endmacro %}

{#- An op that the config gives a format is an expression: Spark has to be able to use it. -#}
{% macro _check_op_of_format(where, node, wire, query) -%}
{%- set error = dbt_changelog.try_describe(dbt_changelog._events_query(wire, query)).error
    if wire and node.config.get('op') else none -%}
{%- do dbt_changelog.refuse_expression(where, 'op', wire.op, error, 'the columns of one event')
    if error and not dbt_changelog.try_describe(
      dbt_changelog._events_query(dict(wire, op="''"), query)).error -%}
{%- endmacro %}

{#- The query, or what a format makes of its rows, as a query. -#}
{% macro _events_query(wire, query) -%}
{{ return(query if wire is none else 'with ' ~ dbt_changelog.events_ctes({'wire': wire}, query)
          ~ '\n\nselect *\nfrom events') }}
{%- endmacro %}

{#- What to do with new columns: where no table is changed, what all models are told is left. -#}
{% macro _schema_change(where, node) -%}
{%- set asked = dbt_changelog.parse_choice(where, 'on_schema_change',
    node.config.get('on_schema_change') or 'ignore',
    ['ignore', 'fail', 'append_new_columns', 'sync_all_columns']) -%}
{%- set merges = dbt_changelog.format_of(dbt_changelog.model_file_format(node)).merges -%}
{{ return(asked if merges or asked == 'fail' else 'ignore') }}
{%- endmacro %}

{#-
  Whether an UPDATE_BEFORE may be among the changes that the state gets: from a code of its own, or
  from the staged changes of a changelog whose events carry both images.
-#}
{% macro _applies_update_before(decoding, changelog) -%}
{{ return(decoding.has_update_before or (changelog and not decoding.state_backed
          and 'UPDATE_BEFORE' in dbt_changelog.mapped_kinds(decoding.op_mapping))) }}
{%- endmacro %}

{#- How long the sequence of a deleted key is remembered. -#}
{% macro _retention(where, config) -%}
{%- set asked = dbt_changelog.parse_duration(where, 'tombstone_retention',
    config.get('tombstone_retention')) or '0' -%}
{%- if asked != '0' and not config.get('unique_key') -%}
{%- do dbt_changelog.raise_invalid(where, 'tombstone_retention',
    'without unique_key nothing is deleted by its key, and nothing is remembered of it',
    'leave it out') -%}
{%- endif -%}
{{ return(asked) }}
{%- endmacro %}

{#- After how many batches a run compacts the files of its tables; none: never. -#}
{% macro _compact_every(where, node) -%}
{%- set asked = node.config.get('compact_every') -%}
{%- if asked is not none and (asked is not integer or asked is boolean or asked < 1) -%}
{%- do dbt_changelog.raise_invalid(where, 'compact_every', "'" ~ asked
    ~ "' is not a number of batches", 'write a whole number from 1 on, like compact_every=50') -%}
{%- elif asked is not none
    and not dbt_changelog.format_of(dbt_changelog.model_file_format(node)).merges -%}
{%- do dbt_changelog.raise_invalid(where, 'compact_every', 'each run writes a new state on '
    ~ dbt_changelog.format_of(dbt_changelog.model_file_format(node)).name
    ~ ', which has no small files to compact', 'leave it out') -%}
{%- endif -%}
{{ return(asked) }}
{%- endmacro %}

{#- Where each event counts: none is read twice, unless all are read and counted anew. -#}
{% macro _check_keyless_read(plan) -%}
{%- set counts = dbt_changelog.kernel_of(plan.kernel).counts_events -%}
{%- set way = 'leave on_conflict out' if plan.on_conflict else 'set unique_key' -%}
{%- set why = 'with on_conflict' if plan.on_conflict else 'without unique_key' -%}
{%- if counts and plan.read.mode == 'column' and not plan.read.strict -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'read',
    why ~ ' each event counts, and ' ~ plan.read.column
      ~ ' is read again at its last position',
    "if no row arrives later with a value at or below the greatest, write read={'column': '"
      ~ plan.read.column ~ "', 'strict': true}; else read='full', or " ~ way) -%}
{%- elif counts and plan.read.mode == 'full' and plan.changelog -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog',
    why ~ " a changelog needs a position, and read='full' has none",
    "write read={'column': .., 'strict': true}, or " ~ way) -%}
{%- endif -%}
{%- endmacro %}

{#-
  The columns of what decode gives, as Spark's analysis finds them: so the whole of it is checked
  before it runs. compared: what decides whether two rows are equal, the payload beside the key but
  for `uncompared` or, without a key, all; by name, since its order in the query must not matter.
-#}
{% macro _decoded_columns(plan) -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
{%- set decoded, types = dbt_changelog._described_changes(plan), {} -%}
{%- for column in decoded -%}
{%- do types.update({column.name: column.type}) -%}
{%- endfor -%}
{%- do dbt_changelog.check_orderable(plan.where, 'sequence_by', '_sequence', types) -%}
{%- do dbt_changelog.warn_of_text_sequence(plan, types['_sequence']) -%}
{%- for name in plan.unique_key -%}
{%- do dbt_changelog.check_orderable(plan.where, 'unique_key', name, types) -%}
{%- endfor -%}
{%- set own = ['_row_kind', '_ordinal', '_dbtc_unsent']
    + ([] if '_sequence' in kernel.columns else ['_sequence']) -%}
{%- set stored, compared, state_columns = decoded | rejectattr('name', 'in', own) | list, [], [] -%}
{%- set names = plan.payload + ([] if plan.unique_key else plan.passthrough) -%}
{%- for column in stored | sort(attribute='name') if column.name in names
    and column.name not in plan.unique_key + plan.uncompared -%}
{%- do compared.append(column) -%}
{%- endfor -%}
{%- do dbt_changelog.check_storable(plan.where, plan.storage.file_format, stored) -%}
{%- for column in stored -%}
{%- do state_columns.append(dict(column,
    type=dbt_changelog.stored_type(plan.storage.file_format, column.type))) -%}
{%- endfor -%}
{{ return({'compared': compared, 'state_columns': state_columns,
           'sequence': decoded | selectattr('name', 'equalto', '_sequence') | first,
           'orderable': dbt_changelog.is_orderable(stored)}) }}
{%- endmacro %}

{#- The columns of the changes; an error names what of the config Spark can not use. -#}
{% macro _described_changes(plan) -%}
{%- set query = dbt_changelog.decoded_sql(plan) -%}
{%- set found = dbt_changelog.try_describe(query) -%}
{%- for sql in plan.sequence_by + [plan.columns_not_sent] if found.error and sql -%}
{%- set error = dbt_changelog.try_describe('with ' ~ dbt_changelog.events_ctes(plan, plan.query)
    ~ '\n\nselect *, (' ~ sql ~ ') as _dbtc_value\nfrom events').error -%}
{%- do dbt_changelog.refuse_expression(plan.where,
    'columns_not_sent' if loop.last and plan.columns_not_sent else 'sequence_by', sql, error,
    'the columns of one event') if error -%}
{%- endfor -%}
{%- for column in found.columns or [] if column.name == '_dbtc_unsent'
    and not column.type.startswith('array<') -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'columns_not_sent', "'" ~ plan.columns_not_sent
    ~ "' is " ~ column.type ~ ', and it must be an array of names',
    "write an expression that is one, for example split(not_sent, ',')") -%}
{%- endfor -%}
{{ return(found.columns or dbt_changelog.describe_columns(query)) }}
{%- endmacro %}

{#- The changes of a model's events, as a query: to be described, or compared with a contract. -#}
{% macro decoded_sql(plan) -%}
with {{ dbt_changelog.events_ctes(plan, plan.query) }},

{{ dbt_changelog.decode_ctes(plan, 'events', upserts_only=true) }}

select *
from changes
{%- endmacro %}
