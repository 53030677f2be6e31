{#- What comes after the program: what dbt prints of the batch, grants, docs and hooks. -#}
{% macro finish_run(plan, batch, outcome) -%}
{%- set committed = batch.writes and not outcome.ended -%}
{%- set relations = dbt_changelog._relations(plan, batch, committed) -%}
{%- do dbt_changelog._report(batch, outcome.counters, committed) -%}
{%- do exceptions.warn('The table ' ~ dbt_changelog.batches_relation(plan.relations.state)
    ~ ' is missing, so batch ' ~ batch.id ~ ' of ' ~ plan.where
    ~ ' has no row in it. The batch is committed.') if committed and not batch.batches -%}
{%- set revoke = should_revoke(load_relation(relations[0]), should_full_refresh()) -%}
{%- do apply_grants(relations[0], plan.grants, revoke) -%}
{%- do apply_grants(plan.relations.current, plan.grants, revoke) if plan.get('versions') -%}
{%- do persist_docs(relations[0], model, for_columns=false) -%}
{%- do dbt_changelog._describe_events(plan) if plan.function == 'to_changelog' -%}
{{ run_hooks(post_hooks) }}
{{ return({'relations': relations}) }}
{%- endmacro %}

{#- The descriptions that persist_docs asks for, where an event table has others. -#}
{% macro _describe_events(plan) -%}
{%- set table, docs = plan.relations.batch_log, plan.docs -%}
{%- set there = dbt_changelog.described_table(table, false) if docs.relation or docs.columns
    else {'comments': {}} -%}
{%- do run_query('comment on table ' ~ table ~ ' is ' ~ dbt_changelog.literal(docs.relation))
    if docs.relation and docs.relation != there.comment -%}
{%- for name, comment in there.comments.items() if docs.columns -%}
{%- set text = docs.columns.get(name | lower) -%}
{%- do run_query('alter table ' ~ table ~ ' alter column ' ~ dbt_changelog.quote(name)
    ~ ' comment ' ~ dbt_changelog.literal(text)) if text and text != comment -%}
{%- endfor -%}
{%- endmacro %}

{#- What dbt is told of: the model's own relation first. -#}
{% macro _relations(plan, batch, committed) -%}
{%- set relations = plan.relations -%}
{%- if plan.function == 'to_changelog' -%}
{{ return([relations.batch_log]
    + ([relations.state, relations.staged] if committed and batch.is_staged else [])) }}
{%- endif -%}
{{ return([relations.contents.incorporate(type='view'), batch.state]
    + ([relations.current] if plan.get('versions') else [])
    + ([relations.staged] if batch.is_staged else [])
    + ([relations.changelog] if plan.changelog else [])) }}
{%- endmacro %}

{#- The line that dbt prints for the model: batch and counters. -#}
{% macro _report(batch, counters, committed) -%}
{%- set parts = ['batch ' ~ batch.id if committed else 'nothing new',
                 dbt_changelog.counters_text(counters)] | select -%}
{%- set rows = counters.get('rows_inserted', 0) + counters.get('rows_updated', 0)
    + counters.get('rows_deleted', 0) -%}
{%- do store_raw_result('main', message=parts | join(', '), code='OK', rows_affected=rows) -%}
{%- endmacro %}

{#- Counters in words. -#}
{% macro counters_text(counters) -%}
{%- set parts = [] -%}
{%- for name in dbt_changelog.counter_names() if counters.get(name) is not none -%}
{%- do parts.append(counters[name] ~ ' ' ~ name | replace('_', ' ')) -%}
{%- endfor -%}
{{ return(parts | join(', ')) }}
{%- endmacro %}
