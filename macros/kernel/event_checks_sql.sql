{#-
  What every event must have. It stands in the where of the first step, below every aggregation:
  there nothing can prune it. Events of an unknown code are kept out here, too.
-#}
{% macro event_checks_sql(plan, key) -%}
{%- set op = dbt_changelog.op_sql(plan) -%}
case
  when {{ op }} is null then {{ dbt_changelog.null_error_sql(plan, 'op', 'the op code',
    'leave null records out in the query (where ' ~ plan.op ~ ' is not null); any other event needs'
    ~ ' its code') }}
  when {{ op }} not in ({{ dbt_changelog.literals(plan.op_mapping | map(attribute='code')) }}) then
    {{- ' ' ~ (dbt_changelog.unknown_code_error_sql(plan)
               if plan.invalid_op_handling == 'FAIL' else 'false') }}
{%- for item in plan.sequence_by %}
  when {{ item }} is null then {{ dbt_changelog.null_error_sql(plan, 'sequence_by', item,
    'write an expression that is never NULL, such as a coalesce that puts such events in place')
  }}
{%- endfor %}
{%- for name in key %}
  when {{ dbt_changelog.quote(name) }} is null then
    {{- ' ' ~ dbt_changelog.null_error_sql(plan, 'unique_key', 'key column ' ~ name,
      'name columns that are never NULL, or mend the query that lost the key')
  }}
{%- endfor %}
{{- dbt_changelog.image_checks_sql(plan) if plan.images }}
  else true
end
{%- endmacro %}
