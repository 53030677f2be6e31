{#-
  What is known of a model without its columns: whose state it is, and where all of it lies.
  relations.log: the table that has the batch log.
-#}
{% macro model_tables(node, relation) -%}
{%- set home = relation.incorporate(path={'schema': node.schema}) -%}
{%- set is_log = node.config.materialized == 'to_changelog' -%}
{%- set table, beside = relation.incorporate(type='table'), dbt_changelog.sibling_relation -%}
{%- set state = beside(home, 'state') if is_log
    else dbt_changelog.current_state(relation, home) -%}
{{ return({
  'uid': node.config.get('uid') or node.unique_id,
  'has_staging': true if is_log or node.config.get('changelog')
                 or not node.config.get('unique_key') else false,
  'relations': {
    'contents': relation,
    'home': home,
    'state': state,
    'log': table if is_log else state,
    'changes': beside(home, 'changes'),
    'changelog': table if is_log else beside(home, 'changelog'),
  },
}) }}
{%- endmacro %}
