{#- The columns of the picked image, then what passes through. -#}
{% macro image_columns_sql(plan) -%}
{%- set columns, known = [], plan.columns or {'input': [], 'before': [], 'after': []} -%}
{%- for name in plan.payload or [] -%}
{%- do columns.append(dbt_changelog.plain_column_sql(name, known.after + known.before,
    dbt_changelog.image_key_sql(plan, name) if name in plan.unique_key
    else '_image.' ~ dbt_changelog.quote(name))) -%}
{%- endfor -%}
{%- do columns.append('_image.*') if not plan.payload -%}
{%- for name in plan.passthrough -%}
{%- do columns.append(dbt_changelog.plain_column_sql(name, known.input)) -%}
{%- endfor -%}
{{ return(columns | join(',\n')) }}
{%- endmacro %}
