{#- What is known of a model without its columns: whose state it is, and where all of it lies. -#}
{% macro model_tables(node, relation) -%}
{%- set home = relation.incorporate(path={'schema': node.schema}) -%}
{{ return({
  'uid': node.config.get('uid') or node.unique_id,
  'has_staging': true if node.config.get('changelog') or not node.config.get('unique_key')
                 else false,
  'relations': {
    'contents': relation,
    'home': home,
    'state': dbt_changelog.current_state(
      dbt_changelog.model_file_format(node), relation, home),
    'changes': dbt_changelog.sibling_relation(home, 'changes'),
    'changelog': dbt_changelog.sibling_relation(home, 'changelog'),
  },
}) }}
{%- endmacro %}
