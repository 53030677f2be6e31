{#- The images that the row kinds of a code need. -#}
{% macro image_checks_sql(plan) -%}
{%- set need = {'before': [], 'after': []} -%}
{%- for entry in plan.op_mapping -%}
{%- do need.after.append(entry.code) if entry.kinds | select('in', ['INSERT', 'UPDATE_AFTER'])
    | list -%}
{%- do need.before.append(entry.code) if dbt_changelog._needs_before(plan, entry.kinds) -%}
{%- endfor -%}
{%- for side, codes in need | dictsort if codes and plan[side] %}
  when {{ dbt_changelog.op_sql(plan) }} in ({{ dbt_changelog.literals(codes) }})
    and {{ dbt_changelog.quote(plan[side]) }} is null then
    {{- ' ' ~ dbt_changelog.null_image_error_sql(plan, side) }}
{%- endfor -%}
{%- endmacro %}

{% macro _needs_before(plan, kinds) -%}
{%- set full_delete = plan.consume_full_deletes or not plan.unique_key -%}
{{ return(('DELETE' in kinds and full_delete)
          or ('UPDATE_BEFORE' in kinds and not plan.state_backed)
          or (kinds == ['UPDATE_BEFORE'] and plan.before is not none)) }}
{%- endmacro %}
