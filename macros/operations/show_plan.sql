{#-
  dbt run-operation show_plan --args '{model: customers}': the plan of a model and the statements
  that a run would execute. It only reads; the program is that of all rows.
-#}
{% macro show_plan(model) -%}
{%- set node = dbt_changelog.find_model(model, ['from_changelog', 'to_changelog']) -%}
{%- set relation = api.Relation.create(
    schema=dbt_changelog.contents_schema(node), identifier=node.alias) -%}
{%- set make_plan = dbt_changelog.to_changelog_plan
    if node.config.materialized == 'to_changelog' else dbt_changelog.from_changelog_plan -%}
{%- set plan, shown = make_plan(node, render(node.raw_code), relation), {} -%}
{%- set batch = dbt_changelog.next_batch(plan) -%}
{%- for name, value in plan.items() if name not in ['query', 'columns', 'relations'] -%}
{%- do shown.update({name: value}) -%}
{%- endfor -%}
{%- do print(tojson(shown, sort_keys=true)) -%}
{%- do print(dbt_changelog.program_text(dbt_changelog.program_of(plan, batch))) -%}
{%- endmacro %}
