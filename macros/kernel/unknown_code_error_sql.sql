{#- The error for a code that op_mapping does not know. -#}
{% macro unknown_code_error_sql(plan) -%}
{{ return(dbt_changelog.raise_error_sql(
  "Unknown op code '", dbt_changelog.op_sql(plan),
  "' in column " ~ plan.op ~ ' of ' ~ plan.where ~ '. Known codes: '
  ~ plan.op_mapping | map(attribute='code') | join(', ')
  ~ ".\nTo fix: add it to op_mapping, or set invalid_op_handling='SKIP' if such events change no"
  ~ ' row; a truncate does: select what came after it, and run with --full-refresh.')) }}
{%- endmacro %}
