{#- Of two runs at once the first to commit wins, and the other says so. -#}
{% macro check_batch_is_free(plan, batch) -%}
{%- set log = dbt_changelog.current_log(plan) -%}
{%- set last = log.batch if log else {'id': 0, 'position': {}} -%}
{%- if last != batch.last -%}
{%- do dbt_changelog.raise_problem('Another run of ' ~ plan.where ~ ' committed batch '
    ~ last.id ~ ' while this one worked on batch ' ~ batch.id ~ '. Nothing is lost: the next run'
    ~ ' reads the range of this one again',
    'run the model again; let one run of it end before the next begins') -%}
{%- endif -%}
{%- endmacro %}
