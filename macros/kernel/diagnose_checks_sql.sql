{#-
  What no event may have: [{problem, condition, error}], problem as SQL text. The first two are of
  its code: of an event that has one of them nothing else can be said.
-#}
{% macro diagnose_checks_sql(plan) -%}
{%- set op, text = dbt_changelog.op_sql(plan), dbt_changelog.literal -%}
{%- set codes = dbt_changelog.literals(plan.op_mapping | map(attribute='code')) -%}
{%- set checks = [
  {'problem': text('the op code is NULL'),
   'condition': op ~ ' is null',
   'error': dbt_changelog.null_error_sql(plan, 'op', 'the op code')},
  {'problem': 'concat(' ~ text("unknown op code '") ~ ', ' ~ op ~ ', ' ~ text("'") ~ ')',
   'condition': op ~ ' not in (' ~ codes ~ ')',
   'error': dbt_changelog.unknown_code_error_sql(plan)
            if plan.invalid_op_handling == 'FAIL' else 'false'},
] -%}
{%- for item in plan.sequence_by -%}
{%- do checks.append({'problem': text('sequence_by ' ~ item ~ ' is NULL'),
    'condition': item ~ ' is null',
    'error': dbt_changelog.null_error_sql(plan, 'sequence_by', item)}) -%}
{%- endfor -%}
{%- for name in plan.unique_key if not plan.images -%}
{%- do checks.append({'problem': text('key column ' ~ name ~ ' is NULL'),
    'condition': dbt_changelog.quote(name) ~ ' is null',
    'error': dbt_changelog.null_error_sql(plan, 'unique_key', 'key column ' ~ name)}) -%}
{%- endfor -%}
{{ return(checks + (dbt_changelog.diagnose_image_checks_sql(plan) if plan.images else [])) }}
{%- endmacro %}
