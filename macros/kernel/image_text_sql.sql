{#- The row as text, to order changes that nothing else orders: equal rows have one text. -#}
{% macro image_text_sql(plan, side='') -%}
{%- if plan.compared is none -%}
{{ return(dbt_changelog.row_text_sql(dbt_changelog.image_row_sql(plan))) }}
{%- endif -%}
{%- set columns, fields = {}, [] -%}
{%- for column in plan.compared -%}
{%- do columns.update({column.name: column}) -%}
{%- endfor -%}
{%- for name in plan.payload | reject('in', plan.uncompared) -%}
{%- set place = side ~ dbt_changelog.quote(name) -%}
{%- set value = dbt_changelog.comparable_sql(place, columns[name], ['float', 'double'])
    if name in columns else place -%}
{%- do fields.append(value ~ (' as ' ~ dbt_changelog.quote(name) if value != place)) -%}
{%- endfor -%}
{{ return(dbt_changelog.row_text_sql('struct(' ~ fields | join(', ') ~ ')')) }}
{%- endmacro %}
