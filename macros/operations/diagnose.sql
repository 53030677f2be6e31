{#-
  dbt run-operation diagnose --args '{model: customers}': what is wrong with the events that the
  model's query gives, all of them, and how they stand to the state. It only reads.
-#}
{% macro diagnose(model) -%}
{%- set node = dbt_changelog.find_model(model) -%}
{%- if dbt_changelog.is_stream(node) -%}
{%- do dbt_changelog.raise_invalid('this operation', 'model', "'" ~ model ~ "' reads a stream,"
    ~ ' whose events can only be read once',
    'let a from_changelog model read the same as a table, and diagnose that one') -%}
{%- endif -%}
{%- set relation = dbt_changelog.contents_relation(node) -%}
{%- set query = dbt_changelog.rendered_query(node, relation) -%}
{%- set plan = dbt_changelog.from_changelog_plan(node, query, relation) -%}
{%- do dbt_changelog.infer_conditions(false) -%}
{%- set problems = run_query(dbt_changelog.count_problems_sql(plan)).rows -%}
{%- do print(plan.where ~ ': ' ~ problems[0][1] ~ ' events'
    ~ (', nothing is wrong' if problems | length == 1 else '')) -%}
{%- for row in problems if row[0] is not none -%}
{%- do print(row[0] ~ ': ' ~ row[1]) if row[3] == 1 -%}
{%- do print('  ' ~ row[2]) -%}
{%- endfor -%}
{%- set found = dbt_changelog.find_tables(plan) -%}
{%- if found.log is none -%}
{%- do print('there is no state yet') -%}
{%- else -%}
{%- do dbt_changelog.check_stored_plan(plan, found, false) -%}
{%- do dbt_changelog._compare_with_state(plan, found) -%}
{%- endif -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
{%- do print('not counted: ' ~ ("two rows of one key and sequence, and with on_conflict='ERROR'"
    ~ ' keys with several rows' if kernel.counts_events else 'ties of changes with the state')
    ~ ', at which a run stops') if kernel.ties is none and plan.unique_key
    and (kernel.counts_events or found.log is not none) -%}
{%- do dbt_changelog.infer_conditions(true) -%}
{%- endmacro %}

{% macro _compare_with_state(plan, found) -%}
{%- set evolved = dbt_changelog.evolve_plan(plan, {'stored': found, 'scenario': 'next',
    'creates': false, 'writes': true, 'id': found.log.batch.id + 1}) -%}
{%- set plan, kernel, counts = evolved.plan, dbt_changelog.kernel_of(plan.kernel), [] -%}
{%- if evolved.steps -%}
{%- do print('the next run changes the columns of the state, so it was not compared') -%}
{%- else -%}
{%- set standing = run_query(kernel.standing(plan)).rows[0].dict() -%}
{%- for name, count in standing.items() -%}
{%- do counts.append(count ~ ' ' ~ name | replace('_', ' ')) -%}
{%- endfor -%}
{%- do print('against the state after batch ' ~ found.log.batch.id ~ ': ' ~ counts | join(', ')) -%}
{%- for row in (run_query(kernel.ties(plan)).rows if standing.get('ties') else []) -%}
{%- do print('  ' ~ row[0]) -%}
{%- endfor -%}
{%- endif -%}
{%- endmacro %}
