{#- The error for a NULL where there must be a value; it shows the event. -#}
{% macro null_error_sql(plan, argument, what, fix) -%}
{{ return(dbt_changelog.raise_error_sql(
  "Invalid '" ~ argument ~ "' in " ~ plan.where ~ ': ' ~ what ~ ' is NULL in the event ',
  dbt_changelog.event_text_sql(plan), '.\nTo fix: ' ~ fix ~ '.')) }}
{%- endmacro %}
