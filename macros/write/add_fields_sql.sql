{#- The statement that adds columns to the rows of a log, in its images if it has some: a list. -#}
{% macro add_fields_sql(plan, added) -%}
{%- set items, sides = [], [] -%}
{%- for image in [plan.before, plan.after] | select('string') | unique -%}
{%- do sides.append(dbt_changelog.quote(image) ~ '.') -%}
{%- endfor -%}
{%- for column in added -%}
{%- for side in ([''] if column.name in plan.passthrough or not sides else sides) -%}
{%- do items.append(side ~ dbt_changelog.quote(column.name) ~ ' ' ~ column.type) -%}
{%- endfor -%}
{%- endfor -%}
{{ return([{'name': 'add columns', 'sql': 'alter table ' ~ plan.relations.log ~ ' add columns ('
    ~ items | join(', ') ~ ')'}] if items else []) }}
{%- endmacro %}
