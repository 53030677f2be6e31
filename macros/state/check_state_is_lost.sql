{#-
  A model whose state is gone does not begin anew without a word: its view or its changelog says
  that there was one.
-#}
{% macro check_state_is_lost(plan, refresh) -%}
{%- set contents, state = load_relation(plan.relations.contents), plan.relations.state -%}
{%- if plan.changelog and dbt_changelog.table_exists(plan.relations.changelog) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'the state ' ~ state
    ~ ' is gone, and the table ' ~ plan.relations.changelog ~ ' has batches of it',
    'restore the state; or drop the changelog, start its consumers anew, and run again') -%}
{%- elif contents and contents.is_view and not refresh
    and state.identifier in run_query('show create table ' ~ contents).rows[0][0] -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'state', 'the table ' ~ state
    ~ ', which the view ' ~ contents ~ ' reads, is gone',
    'restore it, or run with --full-refresh to build it anew from all that the source still has')
-%}
{%- endif -%}
{%- endmacro %}
