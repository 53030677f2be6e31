{#- The images that the row kinds of a code need, each with its own way out. -#}
{% macro image_checks_sql(plan) -%}
{%- set full_delete = plan.consume_full_deletes or not plan.unique_key -%}
{%- set need = [
  {'side': 'after', 'kind': 'INSERT', 'codes': []},
  {'side': 'before', 'kind': 'DELETE', 'codes': []},
  {'side': 'before', 'kind': 'UPDATE_BEFORE', 'codes': []},
  {'side': 'before', 'kind': 'UPDATE_AFTER', 'codes': []},
] -%}
{%- for entry in plan.op_mapping -%}
{%- set kinds = entry.kinds -%}
{%- do need[0].codes.append(entry.code) if 'INSERT' in kinds or 'UPDATE_AFTER' in kinds -%}
{%- do need[1].codes.append(entry.code) if 'DELETE' in kinds and full_delete -%}
{%- do need[2].codes.append(entry.code) if kinds == ['UPDATE_BEFORE'] -%}
{%- do need[3].codes.append(entry.code)
    if 'UPDATE_BEFORE' in kinds and kinds | length > 1 and not plan.state_backed -%}
{%- endfor -%}
{%- for check in need if check.codes and plan[check.side] %}
  when {{ dbt_changelog.op_sql(plan) }} in ({{ dbt_changelog.literals(check.codes) }})
    and {{ dbt_changelog.quote(plan[check.side]) }} is null then
    {{- ' ' ~ dbt_changelog.null_image_error_sql(plan, check.side, check.kind) }}
{%- endfor -%}
{%- endmacro %}
