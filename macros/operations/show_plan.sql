{#-
  dbt run-operation show_plan --args '{model: customers}': the plan of a model, the batch that a run
  would apply, and its statements. It only reads.

  An operation renders the query as dbt compile does: new_rows and changes give all rows and no
  range. So there is no new position, and where each row is read once, all is built anew.
-#}
{% macro show_plan(model) -%}
{%- set node = dbt_changelog.find_model(model, ['from_changelog', 'to_changelog']) -%}
{%- set relation = dbt_changelog.contents_relation(node) -%}
{%- set make_plan = dbt_changelog.changelog_stream_plan if dbt_changelog.is_stream(node)
    else dbt_changelog.to_changelog_plan if dbt_changelog.model_function(node) == 'to_changelog'
    else dbt_changelog.from_changelog_plan -%}
{%- set query = dbt_changelog.rendered_query(node, relation) -%}
{%- set plan, shown = make_plan(node, query, relation), {} -%}
{%- set adoption = dbt_changelog.next_adoption(plan) -%}
{%- set plan = adoption.plan if adoption else plan -%}
{%- set batch = adoption.batch if adoption
    else dbt_changelog.sample_micro_batch(plan) if dbt_changelog.is_stream(node)
    else dbt_changelog.next_batch(plan) -%}
{%- for name, value in plan.items() if name not in ['query', 'columns', 'relations'] -%}
{%- do shown.update({name: value}) -%}
{%- endfor -%}
{%- do shown.update({'batch': {
    'id': batch.id, 'scenario': batch.scenario, 'position': batch.position}}) -%}
{%- do print(tojson(shown, sort_keys=true)) -%}
{%- do print(dbt_changelog.program_text(dbt_changelog.program_of(plan, batch))) -%}
{%- endmacro %}
