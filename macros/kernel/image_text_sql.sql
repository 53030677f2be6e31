{#- The row as text, to order changes that nothing else orders. -#}
{% macro image_text_sql(plan, side='') -%}
{%- if plan.compared is none -%}
{%- set row = '* except (' ~ dbt_changelog.csv(['_row_kind', '_sequence', '_ordinal']
    + plan.passthrough) ~ ')' -%}
{%- else -%}
{%- set row = dbt_changelog.csv(plan.payload, prefix=side) -%}
{%- endif -%}
{{ return('to_json(struct(' ~ row ~ "), map('ignoreNullFields', 'false'))") }}
{%- endmacro %}
