{#- Without images the row is the payload, and one event is one change. -#}
{% macro decode_flat_sql(plan, input) -%}
{%- set dropped = [plan.op] -%}
{%- for name in plan.sequence_names if name.startswith('_') -%}
{%- do dropped.append(name) -%}
{%- endfor -%}
{%- set row = [] -%}
{%- for name in plan.payload or [] -%}
{%- do row.append(dbt_changelog.plain_column_sql(name, plan.columns.input)) -%}
{%- endfor -%}
select
  {{ dbt_changelog.row_kind_sql(plan) | indent(2) }} as _row_kind,
  {{ dbt_changelog.sequence_sql(plan) }} as _sequence,
  {{ dbt_changelog.ordinal_sql(plan) }} as _ordinal,
  {{ row | join(',\n  ') if row else '* except (' ~ dbt_changelog.csv(dropped) ~ ')' }}
from {{ input }}
where {{ dbt_changelog.event_checks_sql(plan, plan.unique_key) }}
{%- endmacro %}
