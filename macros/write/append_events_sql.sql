{#-
  One commit of the change events of a batch: the table with them, or an append to it. A new table
  has the batch log of no batch yet: the batch is committed after all of it is written.
-#}
{% macro append_events_sql(plan, batch, events) -%}
{%- if batch.creates -%}
create or replace table {{ plan.relations.log }}
using {{ plan.table.file_format }}
{{- dbt_changelog.storage_sql(plan, plan.table, plan.relations.log, dbt_changelog.log_properties(
    plan, batch.last, none if plan.has_staging or batch.empty else batch)) }}
as
{{ events }}
{%- else -%}
insert into {{ plan.relations.log }} (
  {{ dbt_changelog.csv(plan.events | map(attribute='name')) }}
)
{{ events }}
{%- endif -%}
{%- endmacro %}
