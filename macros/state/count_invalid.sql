{#-
  The events of an unknown code, as a counter; under LOG in one warning too. Costs a pass, so only
  then or where all counters are asked for.
-#}
{% macro count_invalid(plan, batch) -%}
{%- set logs, fails = plan.invalid_op_handling == 'LOG', plan.invalid_op_handling == 'FAIL' -%}
{%- if batch.empty or batch.staged or fails or not (logs or plan.counters == 'full') -%}
{{ return({}) }}
{%- endif -%}
{%- set counts, total = [], namespace(value=0) -%}
{%- for row in run_query(dbt_changelog.invalid_codes_sql(plan, batch)) -%}
{%- do counts.append("'" ~ row[0] ~ "' (" ~ row[1] ~ ' events)') -%}
{%- set total.value = total.value + row[1] | int -%}
{%- endfor -%}
{%- if counts and logs -%}
{%- do exceptions.warn('Skipped events of ' ~ plan.where ~ ' with unknown op codes in column '
    ~ plan.op ~ ': ' ~ counts | join(', ') ~ '. Known codes: '
    ~ plan.op_mapping | map(attribute='code') | join(', ')) -%}
{%- endif -%}
{{ return({'events_invalid': total.value}) }}
{%- endmacro %}
