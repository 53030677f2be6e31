{#-
  The statements that give a log, and its state, the columns that are new in the query: of the rows
  before they are NULL. Its other columns stay, in their types and their order; the plan follows.

  plan.added: columns that the state has not yet.
-#}
{% macro follow_log(plan) -%}
{%- set table, refuse, row = plan.relations.log, dbt_changelog.raise_invalid,
    dbt_changelog.log_row(plan) -%}
{%- set changes = dbt_changelog.schema_changes(plan, row) -%}
{%- set anew = '; or rename or drop ' ~ table ~ ', start its consumers anew, and run again' -%}
{%- for column in changes.retyped -%}
{%- do refuse(plan.where, 'input', "column '" ~ column.name ~ "' is " ~ column.type
    ~ ' in the query and ' ~ column.stored ~ ' in ' ~ table, 'cast it in the query' ~ anew) -%}
{%- endfor -%}
{%- for column in changes.absent -%}
{%- do refuse(plan.where, 'input', "column '" ~ column.name ~ "' of " ~ table
    ~ ' is not in the query', 'select it, or a NULL of its type' ~ anew) -%}
{%- endfor -%}
{%- do plan.update(dbt_changelog.lifted_columns(plan, changes.narrower)) -%}
{%- do plan.update(dbt_changelog.ordered_columns(plan, row)) -%}
{%- do plan.update({'events': dbt_changelog.event_columns(plan, plan.table.file_format)}) -%}
{%- set statements = dbt_changelog.add_fields_sql(plan, changes.added) -%}
{%- if plan.has_staging -%}
{%- set added = dbt_changelog.schema_changes(plan, dbt_changelog.describe_types(
    'select * from ' ~ plan.relations.state)).added -%}
{%- do plan.update({'added': added}) -%}
{%- set statements = statements + dbt_changelog.change_columns_sql(
    plan, plan.relations.state, {'added': added, 'absent': [], 'retyped': []}) -%}
{%- endif -%}
{{ return(statements) }}
{%- endmacro %}
