{#-
  Configs and query of a to_changelog model -> its plan: one document, checked as a whole, before
  anything is written. node: the model as in graph.nodes; relation: what dbt means by its name.

  input: 'changes', where the query gives a changelog; else 'table', whose changes are the diff with
  what the state has of it.
-#}
{% macro to_changelog_plan(node, query, relation) -%}
{%- set where, config = dbt_changelog.model_where(node), node.config -%}
{%- do dbt_changelog.check_log_config(where, node) -%}
{%- set plan = dbt_changelog.encode_plan(where, dbt_changelog.given_encode_args(config)) -%}
{%- do plan.update({
  'version': 2,
  'kernel': 'last_write_wins' if plan.unique_key else 'multiset',
  'counts_events': not plan.unique_key,
  'query': dbt_changelog.model_query(query),
  'sequence_by': [],
  'order_by': '_sequence',
  'has_update_before': true,
  'invalid_op_handling': 'FAIL',
  'since': 0,
  'absent': [],
  'added': [],
  'grants': config.get('grants'),
  'changelog': true,
  'knows_rows': true,
  'counters': none,
  'now': dbt_changelog.clock(),
}) -%}
{%- do plan.update(dbt_changelog.model_tables(node, relation)) -%}
{%- do plan.update(dbt_changelog.log_columns(plan,
    dbt_changelog.model_file_format(node))) -%}
{%- do dbt_changelog.check_event_columns(plan) -%}
{%- do plan.update({
  'has_staging': plan.input == 'table',
  'reads_once': plan.input == 'changes',
  'read': {'mode': plan.input, 'column': '_batch_id', 'strict': plan.input == 'changes'},
  'events': dbt_changelog.event_columns(plan, dbt_changelog.model_file_format(node)),
}) -%}
{%- do plan.update(dbt_changelog.log_storage(plan, node)) -%}
{%- do plan.update({'reader': dbt_changelog.log_reader(plan) if plan.input == 'changes' else none})
-%}
{{ return(plan) }}
{%- endmacro %}
