{#- Under LOG: the events of an unknown code, in one warning and as a counter. Costs a pass. -#}
{% macro count_invalid(plan, batch) -%}
{%- if plan.invalid_op_handling != 'LOG' or batch.empty -%}
{{ return({}) }}
{%- endif -%}
{%- set counts, total = [], namespace(value=0) -%}
{%- for row in run_query(dbt_changelog.invalid_codes_sql(plan)) -%}
{%- do counts.append("'" ~ row[0] ~ "' (" ~ row[1] ~ ' events)') -%}
{%- set total.value = total.value + row[1] | int -%}
{%- endfor -%}
{%- if counts -%}
{%- do exceptions.warn('Skipped events of ' ~ plan.where ~ ' with unknown op codes in column '
    ~ plan.op ~ ': ' ~ counts | join(', ') ~ '. Known codes: '
    ~ plan.op_mapping | map(attribute='code') | join(', ')) -%}
{%- endif -%}
{{ return({'events_invalid': total.value}) }}
{%- endmacro %}
