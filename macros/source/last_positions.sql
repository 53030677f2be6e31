{#-
  How far a model has read each relation. A batch that was staged and not committed counts: the run
  finishes it before its own, which so begins where that one ends.
-#}
{% macro last_positions(tables) -%}
{%- set log = dbt_changelog.read_batch_log(tables.relations.log) -%}
{%- set last = log.batch if log else {'id': 0, 'position': {}} -%}
{%- set begun = dbt_changelog.staged_batch(tables, last)
    or dbt_changelog.planned_batch(tables, log) -%}
{{ return((begun.batch if begun else last).position) }}
{%- endmacro %}
