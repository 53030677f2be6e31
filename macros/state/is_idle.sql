{#-
  Whether a batch that ends where the last one did leaves all as it is: one query of what is read
  again costs less than statements that write. Where invalid events are counted, all runs; what an
  operation shows is the program of a batch.
-#}
{% macro is_idle(plan, batch) -%}
{%- if dbt_changelog.reads_nothing() -%}
{{ return(true) }}
{%- elif batch.creates or batch.refresh or batch.alters or batch.position != batch.last.position
    or flags.WHICH == 'run-operation' -%}
{{ return(false) }}
{%- elif plan.reads_once -%}
{{ return(true) }}
{%- elif not batch.position or plan.counters == 'full' or plan.invalid_op_handling == 'LOG' -%}
{{ return(false) }}
{%- endif -%}
{{ return(run_query(dbt_changelog.count_newer_sql(plan, batch)).rows[0][0] == 0) }}
{%- endmacro %}
