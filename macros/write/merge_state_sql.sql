{#-
  One commit for contents, tombstones and sequences.

  The rows are not indented: the user's query may hold strings of several lines.
-#}
{% macro merge_state_sql(plan, rows) -%}
{%- set columns = plan.payload + plan.passthrough + dbt_changelog.own_columns() -%}
merge into {{ plan.relations.state }} as state
using (
{{ rows }}
) as batch
on {{ dbt_changelog.same_key_sql(plan) }}
when matched
  and {{ dbt_changelog.is_newer_sql(plan) }}
then update set
{%- for name in columns if name not in plan.unique_key %}
  {{ dbt_changelog.quote(name) }} = {{ dbt_changelog.was_live_sql() | indent(2)
    if name == '_was_live' else 'batch.' ~ dbt_changelog.quote(name) }}{{ ',' if not loop.last }}
{%- endfor %}
when not matched then insert (
  {{ dbt_changelog.csv(columns) }}
) values (
  {{ dbt_changelog.csv(columns, prefix='batch.') }}
)
{%- endmacro %}
