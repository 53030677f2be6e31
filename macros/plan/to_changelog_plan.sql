{#-
  Configs and query of a to_changelog model -> its plan: one document, checked as a whole, before
  anything is written, and never written to. node: the model as in graph.nodes; relation: what dbt
  means by its name.

  input: 'changes', where the query gives a changelog; else 'table', whose changes are the diff with
  what the state has of it.
-#}
{% macro to_changelog_plan(node, query, relation) -%}
{%- set where, config = dbt_changelog.model_where(node), node.config -%}
{%- do dbt_changelog.check_event_config(where, node) -%}
{%- do dbt_changelog.check_catalogs(where, node, relation) -%}
{#- the row before a change is kept for ever, in the state that the changes come from -#}
{%- set encoding = dbt_changelog.encode_plan(where, dict(
    dbt_changelog.given_args(config, dbt_changelog.encode_defaults()), state_ttl=none)) -%}
{%- set query = dbt_changelog.model_query(query) -%}
{%- set rows = dbt_changelog._query_columns(encoding, query, dbt_changelog.model_file_format(node))
-%}
{%- set plan = dbt_changelog.merged(encoding, dbt_changelog.model_tables(node, relation),
    dbt_changelog.run_settings(node), rows, {
  'query': query,
  'read': {'mode': rows.input, 'column': '_batch_id', 'strict': rows.input == 'changes'},
  'sequence_by': [],
  'changelog': true,
  'stages': rows.input == 'table',
  'has_update_before': true,
  'knows_rows': true,
  'invalid_op_handling': 'FAIL',
  'since': 0,
  'adopted': 0,
  'absent': [],
  'uncompared': [],
  'added': [],
  'counters': none,
  'constraints': [],
}) -%}
{%- do dbt_changelog.check_event_columns(plan) -%}
{%- set stored = dbt_changelog.merged(plan, {'storage':
    dbt_changelog.model_storage(where, node, dbt_changelog.event_names(plan))}) -%}
{{ return(dbt_changelog.merged(stored, {
  'partition_checks': dbt_changelog.partition_checks(stored, [
    {'name': plan.op, 'type': 'string'}] + plan.state_columns),
  'reader': dbt_changelog._events_reader(plan) if plan.input == 'changes' else none,
})) }}
{%- endmacro %}

{#- The columns of the event table of a model, in their order. -#}
{% macro event_names(plan) -%}
{%- set key = plan.unique_key | reject('in', plan.passthrough) | list -%}
{%- set row = [plan.before, plan.after] | select('string') | unique | list if plan.images
    else plan.payload if plan.produces_full_deletes or not key
    else key + plan.payload | reject('in', key) | list -%}
{{ return([plan.op] + plan.passthrough + row + ['_batch_id', '_position']) }}
{%- endmacro %}

{#-
  The columns of the model's query: what it is (input), its rows (payload, and what passes through),
  with the types that its state has, and the key as the query spells it.
-#}
{% macro _query_columns(plan, query, file_format) -%}
{%- set columns = dbt_changelog.query_columns(plan.where, query) -%}
{%- set find, places = dbt_changelog.require_columns, [] -%}
{%- set names = columns | map(attribute='name') | list -%}
{%- if dbt_changelog.find_name('_row_kind', names) is not none -%}
{%- set places = find(plan.where, 'input',
    ['_row_kind', '_sequence', '_ordinal', '_batch_id'], names) -%}
{%- endif -%}
{%- set columns = columns | rejectattr('name', 'in', places) | list -%}
{%- set names = columns | map(attribute='name') | list -%}
{%- set key = find(plan.where, 'unique_key', plan.unique_key, names) -%}
{%- set passed = find(plan.where, 'passthrough', plan.passthrough, names) -%}
{%- set payload = names | reject('in', passed) | list -%}
{%- do dbt_changelog.check_payload(plan.where, payload, passed) -%}
{%- do dbt_changelog.check_storable(plan.where, file_format, columns) -%}
{%- set stored = [] -%}
{%- for column in columns -%}
{%- do dbt_changelog.check_orderable(plan.where, 'unique_key', column.name,
    {column.name: column.type}) if column.name in key -%}
{%- do stored.append(dict(column, type=dbt_changelog.stored_type(file_format, column.type),
                          given=column.type)) -%}
{%- endfor -%}
{{ return({
  'input': 'changes' if places else 'table',
  'payload': payload,
  'passthrough': passed,
  'unique_key': key,
  'compared': columns | rejectattr('name', 'in', key) | sort(attribute='name') | list,
  'state_columns': stored,
  'orderable': dbt_changelog.is_orderable(columns),
}) }}
{%- endmacro %}

{#-
  The plan that reads the events of the model as a changelog again, for its full refresh; none, if
  they do not say all.
-#}
{% macro _events_reader(plan) -%}
{%- set mapping = dbt_changelog.inverse_mapping(plan) -%}
{%- set in_images = plan.unique_key | reject('in', plan.passthrough) | list -%}
{%- if mapping is none or (plan.images and plan.before is none and plan.encoding != 'append')
    or in_images != plan.unique_key -%}
{{ return(none) }}
{%- endif -%}
{{ return(dict(dbt_changelog.decode_plan(plan.where, {
  'op': plan.op, 'op_mapping': mapping, 'before': plan.before, 'after': plan.after,
  'unique_key': plan.unique_key or none, 'sequence_by': ['_batch_id', '_position'],
}), passthrough=plan.passthrough)) }}
{%- endmacro %}
