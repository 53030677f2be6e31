{#- Of two runs that staged at once the last one goes on, and the other says so. -#}
{% macro check_staging_is_ours(plan, batch) -%}
{%- set staged = dbt_changelog.read_batch_log(plan.relations.changes) -%}
{%- if not staged or staged.invocation_id != batch.invocation_id or staged.batch.id != batch.id -%}
{%- do dbt_changelog.raise_problem('Another run of ' ~ plan.where ~ ' staged its changes while this'
    ~ ' one worked on batch ' ~ batch.id ~ '. Nothing is lost: that run goes on, or the next one',
    'run the model again; let one run of it end before the next begins') -%}
{%- endif -%}
{%- endmacro %}
