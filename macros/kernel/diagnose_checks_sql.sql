{#-
  What no event may have: [{problem, condition}], problem as SQL text. The first two are of
  its code: of an event that has one of them nothing else can be said.
-#}
{% macro diagnose_checks_sql(plan) -%}
{%- set op, text = dbt_changelog.op_sql(plan), dbt_changelog.literal -%}
{%- set codes = dbt_changelog.literals(plan.op_mapping | map(attribute='code')) -%}
{%- set checks = [
  {'problem': text('the op code is NULL'),
   'condition': op ~ ' is null'},
  {'problem': 'concat(' ~ text("unknown op code '") ~ ', ' ~ op ~ ', ' ~ text("'") ~ ')',
   'condition': op ~ ' not in (' ~ codes ~ ')'},
] -%}
{%- for item in plan.sequence_by -%}
{%- do checks.append({'problem': text('sequence_by ' ~ item ~ ' is NULL'),
    'condition': item ~ ' is null'}) -%}
{%- endfor -%}
{%- for name in plan.unique_key if not plan.images -%}
{%- do checks.append({'problem': text('key column ' ~ name ~ ' is NULL'),
    'condition': dbt_changelog.quote(name) ~ ' is null'}) -%}
{%- endfor -%}
{{ return(checks + (dbt_changelog.diagnose_image_checks_sql(plan) if plan.images else [])) }}
{%- endmacro %}
