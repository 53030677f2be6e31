{#- Change events -> changelog: a row per row kind that the op code maps to. -#}
{% macro decode_sql(plan, input) -%}
{%- if plan.images -%}
{{ dbt_changelog.decode_images_sql(plan, input) }}
{%- else -%}
{{ dbt_changelog.decode_flat_sql(plan, input) }}
{%- endif -%}
{%- endmacro %}
