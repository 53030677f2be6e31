{#- Of two runs at once the first to commit wins, and the other says so. -#}
{% macro check_batch_is_free(plan, batch) -%}
{%- set log = dbt_changelog.read_batch_log(plan.relations.state) -%}
{%- set last = log.batch if log else {'id': 0, 'position': {}} -%}
{%- if last != batch.last -%}
{%- do exceptions.raise_compiler_error('Another run of ' ~ plan.where ~ ' committed batch '
    ~ last.id ~ ' while this one worked on batch ' ~ batch.id ~ '. Nothing is lost: the next run'
    ~ ' reads the range of this one again.'
    ~ '\nTo fix: run the model again; let one run of it end before the next begins.') -%}
{%- endif -%}
{%- endmacro %}
