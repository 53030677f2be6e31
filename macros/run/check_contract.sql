{#- The contract is about the contents or the event table, so it is compared with their columns. -#}
{% macro check_contract(plan) -%}
{%- if plan.contract -%}
{%- do get_assert_columns_equivalent(dbt_changelog.no_events_sql(plan)
    if plan.function == 'to_changelog' else dbt_changelog._no_contents_sql(plan)) -%}
{%- endif -%}
{%- endmacro %}

{% macro _no_contents_sql(plan) -%}
select
  {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') }}
{%- for name in dbt_changelog.version_names(plan) %},
  {{ 'true' if name == plan.versions.is_current else '_sequence' }} as
  {{- ' ' ~ dbt_changelog.quote(name) }}
{%- endfor %}
from (
{{ dbt_changelog.decoded_sql(plan, plan.query) }}
)
where false
{%- endmacro %}
