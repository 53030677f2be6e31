{#- The state as the queries of any kernel read it: with one row a key. -#}

{#- The CTEs that it takes, if any, for the head of a chain. -#}
{% macro state_ctes(plan) -%}
{{ return(dbt_changelog.current_rows_ctes(plan, plan.relations.state) ~ ',\n\n'
    if dbt_changelog.kernel_of(plan.kernel).appends else '') }}
{%- endmacro %}

{#- Its name then. -#}
{% macro state_name(plan) -%}
{{ return('current_rows' if dbt_changelog.kernel_of(plan.kernel).appends
          else plan.relations.state) }}
{%- endmacro %}
