{#- The contract is about the contents or the log, so it is compared with their columns. -#}
{% macro check_contract(plan) -%}
{%- if config.get('contract').enforced -%}
{%- do get_assert_columns_equivalent(dbt_changelog.no_events_sql(plan)
    if plan.function == 'to_changelog' else dbt_changelog.decoded_payload_sql(plan)) -%}
{%- endif -%}
{%- endmacro %}
