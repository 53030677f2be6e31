{#-
  Drops what runs before the last one wrote. The state before this batch stays until the next: to
  drop it would kill whoever reads it now. Catalogs may list names in small letters.
-#}
{% macro drop_old_states(plan, batch, current) -%}
{%- set base = dbt_changelog.sibling_relation(plan.relations.home, 'state') -%}
{%- set kept = [current.identifier | lower, plan.relations.state.identifier | lower] -%}
{%- for row in run_query('show tables in ' ~ base.include(identifier=false) ~ ' like '
    ~ dbt_changelog.literal(base.identifier ~ '*')).rows if row[1] | lower not in kept -%}
{%- set table = base.incorporate(path={'identifier': row[1]}) -%}
{%- set log = dbt_changelog.read_batch_log(table) -%}
{%- do dbt_changelog.run_statement(batch, 'drop old state', 'drop table ' ~ table)
    if log and log.plan.uid == plan.uid -%}
{%- endfor -%}
{%- endmacro %}
