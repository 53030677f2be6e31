{#- The contract is about the contents, so it is compared with their columns, not the query's. -#}
{% macro check_contract(plan) -%}
{%- if config.get('contract').enforced -%}
{%- do get_assert_columns_equivalent(dbt_changelog.decoded_payload_sql(plan)) -%}
{%- endif -%}
{%- endmacro %}
