{#- What the state can't follow: another key, order or kernel, or other columns. -#}
{% macro check_drift(plan, log) -%}
{%- do dbt_changelog.check_changelog_drift(plan, log) -%}
{%- for name in ['function', 'kernel', 'unique_key', 'sequence_by'] -%}
{%- if log.plan[name] != plan[name] -%}
{%- do dbt_changelog.raise_invalid(plan.where, name, 'it is ' ~ plan[name]
    ~ ', but the state was made with ' ~ log.plan[name],
    'set it back, or run with --full-refresh to build the state anew') -%}
{%- endif -%}
{%- endfor -%}
{%- set stored = {} -%}
{%- for column in dbt_changelog.describe_query('select * from ' ~ plan.relations.state) -%}
{%- do stored.update({column.name | lower: column.type}) -%}
{%- endfor -%}
{%- for column in plan.state_columns if stored.get(column.name | lower) != column.type -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'on_schema_change', "column '" ~ column.name
    ~ "' is " ~ column.type ~ ' in the query and ' ~ stored.get(column.name | lower, 'absent')
    ~ ' in the state', 'cast it in the query, or run with --full-refresh') -%}
{%- endfor -%}
{%- set known = plan.state_columns | map(attribute='name') | list
    + dbt_changelog.generated_columns() -%}
{%- for name in stored if dbt_changelog.find_name(name, known) is none -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'on_schema_change', "column '" ~ name
    ~ "' of the state is not in the query", 'select it, or run with --full-refresh') -%}
{%- endfor -%}
{%- endmacro %}
