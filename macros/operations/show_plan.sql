{#-
  dbt run-operation show_plan --args '{model: customers}': the plan of a model and the statements
  that a run would execute. It only reads; the program is that of all rows.
-#}
{% macro show_plan(model) -%}
{%- set node = dbt_changelog.find_model(model) -%}
{%- set relation = api.Relation.create(
    schema=dbt_changelog.contents_schema(node), identifier=node.alias) -%}
{%- set plan = dbt_changelog.from_changelog_plan(node, render(node.raw_code), relation) -%}
{%- set batch = dbt_changelog.next_batch(plan) -%}
{%- set hidden = ['query', 'columns', 'relations'] -%}
{%- set shown = {} -%}
{%- for name, value in plan.items() if name not in hidden -%}
{%- do shown.update({name: value}) -%}
{%- endfor -%}
{%- do print(tojson(shown, sort_keys=true)) -%}
{%- do print(dbt_changelog.program_text(dbt_changelog.from_changelog_program(plan, batch))) -%}
{%- endmacro %}
