{#-
  Of two runs that work on one batch only one appends it. Its changes are no longer staged then: the
  next run says what to do.
-#}
{% macro check_changelog_is_free(plan, batch) -%}
{%- if not batch.staged and dbt_changelog.has_batch(plan.relations.changelog, batch.id) -%}
{%- do dbt_changelog.run_statement(batch, 'drop batch', dbt_changelog.set_properties_sql(
    plan.relations.changes,
    dbt_changelog.staged_properties(plan, dict(batch, id=batch.last.id)))) -%}
{%- do dbt_changelog.raise_problem('Another run of ' ~ plan.where ~ ' appended batch ' ~ batch.id
    ~ ' to the changelog while this one staged it',
    'run the model again; let one run of it end before the next begins') -%}
{%- endif -%}
{%- endmacro %}
