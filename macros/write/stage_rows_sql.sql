{#-
  The changes of a batch, with the batch itself in the properties: one commit. Once it is there, the
  batch is finished from it, whatever happens to the run or to the source.
-#}
{% macro stage_rows_sql(plan, batch, rows) -%}
create or replace table {{ plan.relations.changes }}
using {{ plan.state.file_format }}
{{- dbt_changelog.storage_sql(plan, dbt_changelog.sibling_storage(plan), plan.relations.changes,
                              dbt_changelog.staged_properties(plan, batch)) }}
as
{{ rows }}
{%- endmacro %}
