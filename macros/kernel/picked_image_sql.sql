{#- The image that belongs to the row kind. -#}
{% macro picked_image_sql(plan) -%}
{%- set live = "_row_kind in (" ~ dbt_changelog.literals(dbt_changelog.live_kinds()) ~ ')' -%}
{%- if plan.one_image -%}
{{ dbt_changelog.image_sql(plan, 'after') }}
{%- elif plan.after is none -%}
{{ dbt_changelog.image_sql(plan, 'before') }}
{%- elif plan.columns is none and plan.unique_key -%}
if({{ live }}, {{ dbt_changelog.quote(plan.after) }}, coalesce(
  {{- (dbt_changelog.quote(plan.before) ~ ', ') if plan.before }}
  {{- dbt_changelog.quote(plan.after) }}))
{%- elif plan.before is none -%}
if({{ live }}, {{ dbt_changelog.image_sql(plan, 'after') }}, null)
{%- else -%}
if(
  {{ live }},
  {{ dbt_changelog.image_sql(plan, 'after') | indent(2) }},
  {{ dbt_changelog.image_sql(plan, 'before') | indent(2) }}
)
{%- endif -%}
{%- endmacro %}
