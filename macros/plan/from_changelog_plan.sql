{#-
  Configs and query of a from_changelog model -> its plan: one document, checked as a whole, before
  anything is written. node: the model as in graph.nodes; relation: what dbt means by its name.
-#}
{% macro from_changelog_plan(node, query, relation) -%}
{%- set where, config = dbt_changelog.model_where(node), node.config -%}
{%- do dbt_changelog.check_model_config(where, node) -%}
{%- do dbt_changelog.check_contents_schema(where, node, relation) -%}
{%- set columns = dbt_changelog.input_columns(where, config, query) -%}
{%- set plan = dbt_changelog.decode_plan(
    where, dbt_changelog.given_decode_args(config), columns) -%}
{%- do plan.update({
  'version': 2,
  'kernel': dbt_changelog.model_kernel(node),
  'counts_events': not plan.unique_key,
  'reads_once': not plan.unique_key,
  'query': dbt_changelog.model_query(query),
  'op_type': dbt_changelog.op_type(plan, columns),
  'read': dbt_changelog.model_read(node),
  'on_schema_change': dbt_changelog.parse_choice(where, 'on_schema_change',
    config.get('on_schema_change') or 'ignore',
    ['ignore', 'fail', 'append_new_columns', 'sync_all_columns']),
  'grants': config.get('grants'),
  'changelog': dbt_changelog.parse_flag(where, 'changelog', config.get('changelog') or false),
  'counters':
    dbt_changelog.parse_choice(where, 'counters', config.get('counters') or 'free',
                               ['free', 'full']),
  'now': dbt_changelog.clock(),
}) -%}
{%- do plan.update(dbt_changelog.model_tables(node, relation)) -%}
{%- do dbt_changelog.check_keyless_read(plan) -%}
{%- do plan.update({'has_update_before': dbt_changelog.applies_update_before(plan)}) -%}
{%- do plan.update({'state': dbt_changelog.plan_storage(
    where, node, plan.payload + plan.passthrough, plan.relations.state)}) -%}
{%- do plan.update(dbt_changelog.output_types(plan)) -%}
{%- do plan.update({'constraints': dbt_changelog.plan_constraints(plan, node)}) -%}
{{ return(plan) }}
{%- endmacro %}
