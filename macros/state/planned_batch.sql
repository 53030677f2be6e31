{#-
  The batch that a run wrote down, appended and did not commit, or none: {batch, ..}. One that was
  only written down is no batch: its range is read again.
-#}
{% macro planned_batch(tables, log) -%}
{%- set planned = log.get('planned') if log else none -%}
{%- if planned and not dbt_changelog.reads_nothing() and flags.WHICH != 'run-operation'
    and dbt_changelog.has_batch(tables.relations.log, planned.batch.id) -%}
{{ return(planned) }}
{%- endif -%}
{{ return(none) }}
{%- endmacro %}
