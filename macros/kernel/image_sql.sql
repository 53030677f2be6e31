{#-
  An image with all fields of the payload in their order. Where the input's struct is just that, it
  is taken as it is; else it is written anew, with NULL for what it has not.
-#}
{% macro image_sql(plan, side) -%}
{%- set column = dbt_changelog.quote(plan[side]) -%}
{%- if plan.columns is none
    or plan.columns[side] | map(attribute='name') | list == plan.payload -%}
{{ return(column) }}
{%- endif -%}
{%- set fields = [] -%}
{%- for name in plan.payload -%}
{%- set found = dbt_changelog.find_name(name, plan.columns[side] | map(attribute='name')) -%}
{%- do fields.append(dbt_changelog.literal(name) ~ ', '
    ~ (column ~ '.' ~ dbt_changelog.quote(found) if found else 'null')) -%}
{%- endfor -%}
{{ return('if(' ~ column ~ ' is null, null, named_struct(' ~ fields | join(', ') ~ '))') }}
{%- endmacro %}
