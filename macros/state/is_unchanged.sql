{#-
  Whether a staged batch of to_changelog has no changes: its state is the query's result as it is.
  The first batch makes the tables, changes or not.
-#}
{% macro is_unchanged(plan, batch) -%}
{%- if plan.function == 'from_changelog' or batch.creates -%}
{{ return(false) }}
{%- endif -%}
{{ return(run_query('select 1 from ' ~ plan.relations.changes ~ ' limit 1').rows | length == 0) }}
{%- endmacro %}
