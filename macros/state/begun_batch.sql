{#-
  The batch that an earlier run began to write and did not commit, or none: {batch: {id, position},
  is_staged, creates, refreshes}. One of which nothing was written is no batch: its
  range is read again. log: the batch log of the model.
-#}
{% macro begun_batch(tables, log, staged) -%}
{%- set relations, last = tables.relations, dbt_changelog.last_batch(log) -%}
{%- if dbt_changelog._is_begun(tables, last, staged) -%}
{{ return({'batch': staged.batch, 'is_staged': true, 'creates': staged.creates,
           'refreshes': false}) }}
{%- endif -%}
{%- set planned = log.get('planned') if log else none -%}
{%- if planned and dbt_changelog.has_batch(relations.batch_log, planned.batch.id) -%}
{{ return({'batch': planned.batch, 'is_staged': false, 'creates': false,
           'refreshes': planned.refreshes}) }}
{%- endif -%}
{{ return(none) }}
{%- endmacro %}

{#- Whether a staged batch is of this model, not committed, and in one of its tables. -#}
{% macro _is_begun(tables, last, staged) -%}
{{ return(staged and staged.uid == tables.uid and staged.batch.id > last.id
          and (dbt_changelog.has_batch(tables.relations.changelog, staged.batch.id)
               or dbt_changelog.has_batch(tables.relations.state, staged.batch.id))) }}
{%- endmacro %}
