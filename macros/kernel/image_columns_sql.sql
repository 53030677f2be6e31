{#- The columns of the picked image, then what passes through. -#}
{% macro image_columns_sql(plan) -%}
{%- set columns = [] -%}
{%- for name in plan.payload or [] -%}
{%- set column = '_image.' ~ dbt_changelog.quote(name) -%}
{%- do columns.append(column if name not in plan.unique_key
    else dbt_changelog.image_key_sql(plan, name) ~ ' as ' ~ dbt_changelog.quote(name)) -%}
{%- endfor -%}
{%- do columns.append('_image.*') if not plan.payload -%}
{%- for name in plan.passthrough -%}
{%- do columns.append(dbt_changelog.quote(name)) -%}
{%- endfor -%}
{{ return(columns | join(',\n')) }}
{%- endmacro %}
