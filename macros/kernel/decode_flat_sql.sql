{#- Without images the row is the payload, and one event is one change. -#}
{% macro decode_flat_sql(plan, input) -%}
{%- set dropped = [plan.op] -%}
{%- for name in plan.sequence_names if name.startswith('_') -%}
{%- do dropped.append(name) -%}
{%- endfor -%}
{%- set rest = '* except (' ~ dbt_changelog.csv(dropped) ~ ')' -%}
select
  {{ dbt_changelog.row_kind_sql(plan) | indent(2) }} as _row_kind,
  {{ dbt_changelog.sequence_sql(plan) }} as _sequence,
  {{ dbt_changelog.ordinal_sql(plan) }} as _ordinal,
  {{ dbt_changelog.csv(plan.payload, separator=',\n  ') if plan.payload else rest }}
{{- ',\n  ' ~ plan.arrived ~ ' as _arrived' if plan.arrived }}
from {{ input }}
where {{ dbt_changelog.event_checks_sql(plan, plan.unique_key) }}
{%- if not plan.payload and not plan.unique_key %}
  and if(typeof(struct({{ rest }})) = 'struct<>', {{ dbt_changelog.raise_error_sql(
    "Invalid 'input' in " ~ plan.where ~ ': it has no column besides the op column.\nTo fix: select'
    ~ ' the columns of the row too.') }}, true)
{%- endif -%}
{%- endmacro %}
