{#- The contract is about the contents or the event table, so it is compared with their columns. -#}
{% macro check_contract(plan) -%}
{%- if plan.contract -%}
{%- do get_assert_columns_equivalent(dbt_changelog.no_events_sql(plan)
    if plan.function == 'to_changelog' else dbt_changelog._no_contents_sql(plan)) -%}
{%- endif -%}
{%- endmacro %}

{% macro _no_contents_sql(plan) -%}
{%- set columns, types = [], {} -%}
{%- for column in plan.state_columns -%}
{%- do types.update({column.name: column.type}) -%}
{%- endfor -%}
{%- for name in plan.payload + plan.passthrough -%}
{%- set column = dbt_changelog.quote(name) -%}
{%- do columns.append('cast(' ~ column ~ ' as ' ~ types[name] ~ ') as ' ~ column) -%}
{%- endfor -%}
select
  {{ columns | join(',\n  ') }}
{%- for name in dbt_changelog.version_names(plan) %},
  {{ 'true' if name == plan.versions.is_current else '_sequence' }} as
  {{- ' ' ~ dbt_changelog.quote(name) }}
{%- endfor %}
from (
{{ dbt_changelog.decoded_sql(plan) }}
)
where false
{%- endmacro %}
