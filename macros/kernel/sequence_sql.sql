{#- What orders the changes of a key: one value, or a struct of several, most significant first. -#}
{% macro sequence_sql(plan) -%}
{%- if not plan.sequence_by -%}
{{ return('cast(null as bigint)') }}
{%- elif plan.sequence_by | length == 1 -%}
{%- for column in (plan.get('columns') or {}).get('input', [])
    if plan.sequence_by[0] == dbt_changelog.quote(column.name) and column.type == 'string' -%}
{{ return('cast(' ~ plan.sequence_by[0] ~ ' as string)') }}
{%- endfor -%}
{{ return(plan.sequence_by[0]) }}
{%- endif -%}
{%- set fields = [] -%}
{%- for item in plan.sequence_by -%}
{%- do fields.append("'_" ~ loop.index ~ "', " ~ item) -%}
{%- endfor -%}
{{ return('named_struct(' ~ fields | join(', ') ~ ')') }}
{%- endmacro %}
