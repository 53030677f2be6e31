{#-
  The statements that give the tables the columns of this run, before its batch is written; the plan
  follows where the tables do not change.
-#}
{% macro alter_statements(plan, log, id, refresh) -%}
{%- if log is none -%}
{{ return([]) }}
{%- elif plan.function == 'to_changelog' -%}
{{ return([] if refresh or dbt_changelog.reads_nothing() else dbt_changelog.follow_log(plan)) }}
{%- elif dbt_changelog.reads_nothing() -%}
{%- do plan.update(dbt_changelog.restrict_columns(plan,
    dbt_changelog.describe_query('select * from ' ~ plan.relations.state))) -%}
{{ return([]) }}
{%- elif not refresh -%}
{{ return(dbt_changelog.follow_schema(plan, log, id)) }}
{%- endif -%}
{{ return(dbt_changelog.follow_changelog(plan, log)) }}
{%- endmacro %}
