{#-
  dbt run-operation diagnose --args '{model: customers}': what is wrong with the events that the
  model's query gives, all of them, and how they stand to the state. It only reads.
-#}
{% macro diagnose(model) -%}
{%- set node = dbt_changelog.find_model(model) -%}
{%- set relation = api.Relation.create(
    schema=dbt_changelog.contents_schema(node), identifier=node.alias) -%}
{%- set plan = dbt_changelog.from_changelog_plan(node, render(node.raw_code), relation) -%}
{%- set found = run_query(dbt_changelog.diagnose_events_sql(plan)).rows -%}
{%- do print(plan.where ~ ': ' ~ found[0][1] ~ ' events'
    ~ (', nothing is wrong' if found | length == 1 else '')) -%}
{%- for row in found if row[0] is not none -%}
{%- do print(row[0] ~ ': ' ~ row[1]) if row[3] == 1 -%}
{%- do print('  ' ~ row[2]) -%}
{%- endfor -%}
{%- set log = dbt_changelog.read_batch_log(plan.relations.state) -%}
{%- if log is none -%}
{%- do print('there is no state yet') -%}
{%- else -%}
{%- do dbt_changelog.check_drift(plan, log) -%}
{%- if dbt_changelog.follow_schema(plan, log, log.batch.id + 1) -%}
{%- do print('the next run changes the columns of the state, so it was not compared') -%}
{%- else -%}
{%- set counts = [] -%}
{%- set standing = run_query(dbt_changelog.kernel_macros(plan).standing(plan)).rows[0].dict() -%}
{%- for name, count in standing.items() -%}
{%- do counts.append(count ~ ' ' ~ name | replace('_', ' ')) -%}
{%- endfor -%}
{%- do print('against the state after batch ' ~ log.batch.id ~ ': ' ~ counts | join(', ')) -%}
{%- if standing.get('ties') -%}
{%- for row in run_query(dbt_changelog.diagnose_ties_sql(plan)).rows -%}
{%- do print('  ' ~ row[0]) -%}
{%- endfor -%}
{%- endif -%}
{%- endif -%}
{%- endif -%}
{%- endmacro %}
