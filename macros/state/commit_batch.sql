{#-
  Makes the batch the last one. A batch that created the state has done so in the same commit, and
  one that read nothing and changed nothing is none.
-#}
{% macro commit_batch(plan, batch) -%}
{%- set idle = not batch.creates
    and (batch.idle or (batch.position == batch.last.position and not batch.wrote)) -%}
{%- if batch.empty -%}
{{ return(false) }}
{%- elif idle and dbt_changelog.is_staged(plan, batch) -%}
{%- do dbt_changelog.run_statement(batch, 'drop batch', dbt_changelog.set_properties_sql(
    plan.relations.changes,
    dbt_changelog.staged_properties(plan, dict(batch, id=batch.last.id)))) -%}
{%- elif not idle and not dbt_changelog.commits_itself(plan, batch) -%}
{%- do dbt_changelog.set_log(plan, batch) -%}
{%- endif -%}
{{ return(not idle) }}
{%- endmacro %}
