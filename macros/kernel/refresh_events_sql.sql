{#-
  The change events of a full refresh of a model that reads changes: how what all changes leave
  differs from what the events so far leave. The log may have other columns.
-#}
{% macro refresh_events_sql(plan, batch) -%}
{%- set diff = dbt_changelog.diff_rows_sql if plan.unique_key else dbt_changelog.diff_bags_sql -%}
{%- set plan = dict(plan, batch_id=batch.id, nets=false, knows_rows=false,
    sequence='cast(' ~ batch.id ~ ' as bigint)') -%}
with all_changes as (
{{ dbt_changelog.read_changes_sql(plan) }}
),

new_rows as (
  {{ dbt_changelog.fold_changes_sql(plan, 'all_changes') | indent(2) }}
),

old_changes as (
  {{ dbt_changelog.decode_sql(plan.reader, plan.relations.log) | indent(2) }}
),

old_rows as (
  {{ dbt_changelog.fold_changes_sql(plan, 'old_changes') | indent(2) }}
),

changes as (
  {{ diff(plan, 'old_rows', 'new_rows') | indent(2) }}
)

{{ dbt_changelog.encode_sql(plan, 'changes') }}
{%- endmacro %}
