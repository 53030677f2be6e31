{#- The images that the row kinds of a code need, as diagnose_checks_sql gives its checks. -#}
{% macro diagnose_image_checks_sql(plan) -%}
{%- set checks, need = [], {'before': [], 'after': []} -%}
{%- set full_delete = plan.consume_full_deletes or not plan.unique_key -%}
{%- for entry in plan.op_mapping -%}
{%- set kinds = entry.kinds -%}
{%- do need.after.append(entry.code) if 'INSERT' in kinds or 'UPDATE_AFTER' in kinds -%}
{%- do need.before.append(entry.code) if ('DELETE' in kinds and full_delete)
    or ('UPDATE_BEFORE' in kinds and not plan.state_backed)
    or (kinds == ['UPDATE_BEFORE'] and plan.before is not none) -%}
{%- endfor -%}
{%- for side, codes in need | dictsort if codes and plan[side] -%}
{%- do checks.append({
  'problem': dbt_changelog.literal('the ' ~ side ~ ' image is NULL'),
  'condition': dbt_changelog.op_sql(plan) ~ ' in (' ~ dbt_changelog.literals(codes) ~ ')\n    and '
    ~ dbt_changelog.quote(plan[side]) ~ ' is null',
}) -%}
{%- endfor -%}
{{ return(checks) }}
{%- endmacro %}
