{#- What comes after the commit: what people see of the batch, grants, docs and hooks. -#}
{% macro finish(plan, batch, counters, committed) -%}
{%- set relations = dbt_changelog.function_macros(plan).publish(plan, batch, committed) -%}
{%- do dbt_changelog.record_batch(plan, batch, counters) if committed -%}
{%- do dbt_changelog.report(batch, counters, committed) -%}
{%- set revoke = should_revoke(load_relation(relations[0]), should_full_refresh()) -%}
{%- do apply_grants(relations[0], plan.grants, revoke) -%}
{%- do persist_docs(relations[0], model, for_columns=false) -%}
{{ run_hooks(post_hooks) }}
{{ return({'relations': relations}) }}
{%- endmacro %}
