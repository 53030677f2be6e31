{#- The view, what people see of the batch, grants, docs and hooks. -#}
{% macro finish(plan, batch, counters, committed) -%}
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
{%- do dbt_changelog.record_batch(plan, batch, counters) if committed -%}
{%- do dbt_changelog.report(batch, counters, committed) -%}
{%- set revoke = should_revoke(load_relation(contents), should_full_refresh()) -%}
{%- do apply_grants(contents, plan.grants, revoke) -%}
{%- do persist_docs(contents, model, for_columns=false) -%}
{{ run_hooks(post_hooks) }}
{{ return({'relations': [contents, state]
    + ([plan.relations.changes] if dbt_changelog.is_staged(plan, batch) else [])
    + ([plan.relations.changelog] if plan.changelog else [])}) }}
{%- endmacro %}
