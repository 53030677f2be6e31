{#- The statement that brings a batch into the state. -#}
{% macro write_state_sql(plan, batch, rows) -%}
{%- if batch.creates -%}
{{ dbt_changelog.create_state_sql(plan, batch, rows) }}
{%- elif dbt_changelog.format_features(plan.state.file_format).merges -%}
{{ dbt_changelog.kernel_macros(plan).merge(plan, rows) }}
{%- else -%}
{{ dbt_changelog.create_state_sql(plan, batch, dbt_changelog.merged_rows_sql(plan, rows)) }}
{%- endif -%}
{%- endmacro %}
