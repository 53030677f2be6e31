{#- The error for an image that is NULL although a row kind needs it. -#}
{% macro null_image_error_sql(plan, side) -%}
{%- set fix = 'filter such rows out in the query' -%}
{%- if side == 'before' -%}
{%- set fix = "set state_ttl='0' with unique_key, and the previous row comes from the state; map"
    ~ ' the code to UPDATE_AFTER alone; or ' ~ fix -%}
{%- endif -%}
{{ return(dbt_changelog.raise_error_sql(
  "Invalid '" ~ side ~ "' in " ~ plan.where ~ ': the ' ~ side ~ ' image is NULL in the event ',
  dbt_changelog.event_text_sql(plan), '.\nTo fix: ' ~ fix ~ '.')) }}
{%- endmacro %}
