{#-
  Where the query's columns are not the state's: what on_schema_change says of them, an error or a
  plan that the state can follow. Gives the statements that change the tables, as a list.

  plan.since: the first batch whose rows have today's columns; the image hashes of older ones are
  of other columns. plan.absent: what the state has and the query has no more. The state comes last:
  while it has other columns all of this is done again.
-#}
{% macro follow_schema(plan, log, id) -%}
{%- set stored = dbt_changelog.describe_types('select * from ' ~ plan.relations.state) -%}
{%- set changes = dbt_changelog.schema_changes(plan, stored) -%}
{%- do plan.update({'since': log.get('since', 0)}) -%}
{%- do dbt_changelog.check_schema_changes(plan, changes) -%}
{%- do plan.update(dbt_changelog.lifted_columns(plan, changes.narrower)) -%}
{%- do changes.update({'narrower': []}) -%}
{%- if plan.on_schema_change == 'ignore' and changes.added -%}
{%- do exceptions.warn('The state of ' ~ plan.where ~ ' has no column '
    ~ changes.added | map(attribute='name') | join(', ')
    ~ ', so the contents leave it out. To fix: set on_schema_change to what you want.') -%}
{%- do plan.update(dbt_changelog.restrict_columns(plan, stored)) -%}
{%- do changes.update({'added': []}) -%}
{%- elif plan.on_schema_change == 'append_new_columns' -%}
{%- do plan.update(dbt_changelog.absent_columns(plan, changes.absent)) -%}
{%- do changes.update({'absent': []}) -%}
{%- endif -%}
{%- set absent = plan.absent | map(attribute='name') | list -%}
{%- if not changes.values() | sum(start=[]) and absent == log.get('absent', []) -%}
{{ return([]) }}
{%- endif -%}
{%- do plan.update({'since': id}) -%}
{%- set log_sql = dbt_changelog.set_properties_sql(
    plan.relations.state, dbt_changelog.log_properties(plan, log.batch)) -%}
{{ return([{'name': 'note columns', 'sql': log_sql}]
    + dbt_changelog.follow_changelog(plan, log)
    + dbt_changelog.change_columns_sql(plan, plan.relations.state, changes)) }}
{%- endmacro %}
