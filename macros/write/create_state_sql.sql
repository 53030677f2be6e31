{#- The state with its first batch and its batch log, in one commit; sorted by key, so that each
    file has its own range of keys. -#}
{% macro create_state_sql(plan, batch, rows) -%}
{{ 'create or replace table' if batch.replaces else 'create table' }} {{ plan.relations.state }}
using {{ plan.state.file_format }}
{{- dbt_changelog.storage_sql(plan, dbt_changelog.log_properties(plan, batch)) }}
as
{{ rows }}
order by {{ dbt_changelog.csv(plan.unique_key) }}
{%- endmacro %}
