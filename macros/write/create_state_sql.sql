{#-
  The state with a batch, and the batch log if it lies here, in one commit; sorted by key, if there
  is one, so that each file has its own range of keys: a batch in a part of the keys rewrites only
  its files, whose size must not grow with the table.

  "or replace" wherever the name is used again: a process that was killed while it wrote leaves
  files and no table, and a plain create would refuse that place for ever.
-#}
{% macro create_state_sql(plan, batch, rows) -%}
{%- set features = dbt_changelog.format_features(plan.state.file_format) -%}
create {{ 'or replace ' if features.merges -}}
table {{ batch.state }}
using {{ plan.state.file_format }}
{%- if features.bounds_files and plan.unique_key %}
options ('maxRecordsPerFile' = '500000')  -- a batch in a part of the keys rewrites few files
{%- endif %}
{{- dbt_changelog.storage_sql(plan, plan.state, batch.state,
    dbt_changelog.log_properties(plan, batch) if plan.function == 'from_changelog'
    else {'dbt_changelog.uid': plan.uid}) }}
as
{{ rows }}
{{- '\norder by ' ~ dbt_changelog.csv(plan.unique_key) if plan.unique_key }}
{%- endmacro %}
