{#-
  Changelog -> change events. With a key its changes are made whole first: what each did to the row
  that was there, whether its UPDATE_BEFORE came along or not. Without one they are as they are, and
  so is a diff, which is whole (nets: false).
-#}
{% macro encode_sql(plan, input) -%}
{%- set changes = dbt_changelog.change_images_sql(plan, input) -%}
{%- if plan.nets and plan.tie_handling == 'LAST' -%}
{%- set changes = dbt_changelog.greatest_changes_sql(plan, changes) -%}
{%- endif -%}
{%- set changes = dbt_changelog.net_changes_sql(plan, changes) if plan.nets else changes -%}
{%- if plan.pairs -%}
{{ dbt_changelog.encode_pairs_sql(plan, changes if plan.nets
    else dbt_changelog.joined_changes_sql(plan, changes)) }}
{%- else -%}
{{ dbt_changelog.encode_rows_sql(plan, dbt_changelog.split_changes_sql(plan, changes)
    if plan.nets else changes) }}
{%- endif -%}
{%- endmacro %}
