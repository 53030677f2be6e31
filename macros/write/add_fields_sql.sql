{#- The statements that add columns to the rows of a log, in its images if it has some. -#}
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
{%- set statements, properties = [],
    dbt_changelog.required_properties(plan.table.file_format, added) -%}
{%- do statements.append({'name': 'prepare columns',
    'sql': dbt_changelog.set_properties_sql(plan.relations.log, properties)}) if properties -%}
{%- do statements.append({'name': 'add columns', 'sql': 'alter table ' ~ plan.relations.log
    ~ ' add columns (' ~ items | join(', ') ~ ')'}) if items -%}
{{ return(statements) }}
{%- endmacro %}
