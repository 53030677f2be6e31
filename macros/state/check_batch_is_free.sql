{#- Of two runs at once the first to commit wins, and the other says so. -#}
{% macro check_batch_is_free(plan, batch) -%}
{%- set log = dbt_changelog.read_batch_log(plan.relations.state) -%}
{%- if not log or log.batch != batch.last -%}
{%- do exceptions.raise_compiler_error('Another run of ' ~ plan.where ~ ' committed batch '
    ~ (log.batch.id if log else 'none') ~ ' while this one worked on batch ' ~ batch.id
    ~ '. Nothing is lost: what this run wrote is in the table, and the next run reads its range'
    ~ ' again.\nTo fix: run the model again; let one run of it end before the next begins.') -%}
{%- endif -%}
{%- endmacro %}
