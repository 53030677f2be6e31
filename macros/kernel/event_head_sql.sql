{#- What stands before the row of a change event: its op code and what passes through. -#}
{% macro event_head_sql(plan) -%}
case _row_kind
{%- for entry in plan.op_mapping %}
{%- for kind in entry.kinds | sort %}
  when {{ dbt_changelog.literal(kind) }} then {{ dbt_changelog.literal(entry.code) }}
{%- endfor %}
{%- endfor %}
end as {{ dbt_changelog.quote(plan.op) }}
{%- for name in plan.passthrough %},
{{ dbt_changelog.quote(name) }}
{%- endfor %}
{%- endmacro %}
