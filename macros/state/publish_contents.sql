{#- The view of the contents, which is the commit where each run writes a new state. -#}
{% macro publish_contents(plan, batch, committed) -%}
{%- set contents = plan.relations.contents.incorporate(type='view') -%}
{%- set state = batch.state if committed or batch.creates else plan.relations.state -%}
{%- set query = dbt_changelog.kernel_macros(plan).contents(
    dict(plan, relations=dict(plan.relations, state=state))) -%}
{%- if batch.rename_to -%}
{%- do dbt_changelog.run_statement(batch, 'rename table aside',
    dbt_changelog.rename_table_sql(plan.relations.contents, batch.rename_to)) -%}
{%- endif -%}
{%- do dbt_changelog.run_statement(batch, 'contents view',
    get_create_view_as_sql(contents, query) | trim) -%}
{%- do dbt_changelog.drop_old_states(plan, batch, state) -%}
{{ return([contents, state]
    + ([plan.relations.changes] if dbt_changelog.is_staged(plan, batch) else [])
    + ([plan.relations.changelog] if plan.changelog else [])) }}
{%- endmacro %}
