{#-
  One commit for all lists. Each row that it writes gets the batch's id; one without a copy that is
  left too, which stays until it is purged (is_written_once_sql).
-#}
{% macro merge_places_sql(plan, rows) -%}
{%- set own = dbt_changelog.upsert_materialize().columns -%}
{%- set columns = plan.payload + plan.passthrough + own -%}
merge into {{ plan.relations.state }} as state
using (
{{ rows }}
) as change
on {{ dbt_changelog.same_key_sql(plan) }}
  and {{ dbt_changelog.same_row_sql(plan) }}
when matched
  and {{ dbt_changelog.is_written_once_sql(plan) | indent(2) }}
then update set
{%- for name in own if name != '_image_hash' %}
  {{ name }} = change.{{ name }}{{ ',' if not loop.last }}
{%- endfor %}
when not matched then insert (
  {{ dbt_changelog.csv(columns, separator=',\n  ') }}
) values (
  {{ dbt_changelog.csv(columns, prefix='change.', separator=',\n  ') }}
)
{%- endmacro %}

{#- Rows of which no copy is left, and that are no mark of this batch. -#}
{% macro purge_places_sql(plan, batch) -%}
delete from {{ plan.relations.state }}
where size(_places) = 0 and _batch_id < {{ batch.id }}
{%- endmacro %}
