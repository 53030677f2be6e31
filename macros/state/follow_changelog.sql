{#-
  The statements that give the changelog the plan's columns. It keeps those that the plan has no
  more: what was emitted stays. Its key and its format are its consumers'.
-#}
{% macro follow_changelog(plan, log) -%}
{%- if not plan.changelog or not dbt_changelog.table_exists(plan.relations.changelog) -%}
{{ return([]) }}
{%- endif -%}
{%- set anew = 'rename or drop the changelog, start its consumers anew, and run with'
    ~ ' --full-refresh' -%}
{%- if log.plan.unique_key != plan.unique_key -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'unique_key', 'it is ' ~ plan.unique_key ~ ', but '
    ~ plan.relations.changelog ~ ' was made with ' ~ log.plan.unique_key,
    'set it back; or ' ~ anew) -%}
{%- endif -%}
{%- set stored = dbt_changelog.table_format(
    dbt_changelog.table_properties(plan.relations.changelog)) -%}
{%- if stored != plan.state.file_format -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'file_format', 'it is ' ~ plan.state.file_format
    ~ ', but ' ~ plan.relations.changelog ~ ' was made with ' ~ stored,
    'set it back; or ' ~ anew) -%}
{%- endif -%}
{%- set changes = dbt_changelog.schema_changes(plan,
    dbt_changelog.describe_types('select * from ' ~ plan.relations.changelog)) -%}
{%- for column in changes.retyped
    if not dbt_changelog.is_widening(column.stored, column.type) or column.name == '_sequence' -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', "column '" ~ column.name ~ "' is "
    ~ column.type ~ ' in the query and ' ~ column.stored ~ ' in ' ~ plan.relations.changelog,
    'cast it in the query; or ' ~ anew) -%}
{%- endfor -%}
{{ return(dbt_changelog.change_columns_sql(
    plan, plan.relations.changelog, dict(changes, absent=[]))) }}
{%- endmacro %}
