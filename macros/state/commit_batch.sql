{#-
  Makes the batch the last one. A batch that created the state has done so in the same commit, and
  one that read nothing and changed nothing is none.
-#}
{% macro commit_batch(plan, batch, counters) -%}
{%- set idle = batch.position == batch.last.position
    and counters.get('rows_inserted') == 0 and counters.get('rows_updated') == 0 -%}
{%- if batch.creates or batch.empty or idle -%}
{{ return(batch.creates and not batch.empty) }}
{%- endif -%}
{%- do dbt_changelog.check_batch_is_free(plan, batch) -%}
{%- do dbt_changelog.run_statement(batch, 'commit batch', dbt_changelog.set_properties_sql(
    plan.relations.state, dbt_changelog.log_properties(plan, batch))) -%}
{{ return(true) }}
{%- endmacro %}
