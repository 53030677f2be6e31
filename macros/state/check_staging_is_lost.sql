{#- A changelog that has the batch to come was left by a run whose staging table is gone. -#}
{% macro check_staging_is_lost(plan, batch) -%}
{%- if plan.has_staging and batch.appended and not batch.empty -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'the table ' ~ plan.relations.changelog
    ~ ' has batch ' ~ batch.id ~ ', which the state has not, and ' ~ plan.relations.changes
    ~ ', from which it would be finished, is gone',
    'restore that table; or delete from the changelog where _batch_id = ' ~ batch.id
    ~ ', start the consumers that have read it anew, and run again') -%}
{%- endif -%}
{%- endmacro %}
