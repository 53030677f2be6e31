{#- The line that dbt prints for the model: batch and counters. -#}
{% macro report(batch, counters, committed) -%}
{%- set parts = ['batch ' ~ batch.id if committed else 'nothing new'] -%}
{%- for name in dbt_changelog.counter_names() if counters.get(name) is not none -%}
{%- do parts.append(counters[name] ~ ' ' ~ name | replace('_', ' ')) -%}
{%- endfor -%}
{%- set rows = counters.get('rows_inserted', 0) + counters.get('rows_updated', 0)
    + counters.get('rows_deleted', 0) -%}
{%- do store_raw_result('main', message=parts | join(', '), code='OK', rows_affected=rows) -%}
{%- endmacro %}
