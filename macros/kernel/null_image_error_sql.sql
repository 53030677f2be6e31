{#- The error for an image that is NULL although a row kind needs it, and the way out for it. -#}
{% macro null_image_error_sql(plan, side, kind) -%}
{%- set source = 'let the source write the row before (Postgres: replica identity full)' -%}
{%- set fixes = {
  'INSERT': 'mend the query if it did not parse the image (from_json then gives NULL), or'
    ~ ' op_mapping if events of this code have no row after',
  'UPDATE_AFTER': "map the code to UPDATE_AFTER alone; or set state_ttl='0', and the previous row"
    ~ ' comes from the state; or ' ~ source if plan.unique_key
    else 'set unique_key and map the code to UPDATE_AFTER alone; or ' ~ source,
  'DELETE': 'leave consume_full_deletes out: then the key is enough; or ' ~ source
    if plan.unique_key else 'set unique_key: then the key of a delete is enough; or ' ~ source,
  'UPDATE_BEFORE': 'leave these events out in the query if each has an UPDATE_AFTER, which says'
    ~ ' what became of the row; or ' ~ source if plan.unique_key else source,
} -%}
{{ return(dbt_changelog.raise_error_sql(
  "Invalid '" ~ side ~ "' in " ~ plan.where ~ ': the ' ~ side ~ ' image is NULL in the event ',
  dbt_changelog.event_text_sql(plan), '.\nTo fix: ' ~ fixes[kind] ~ '.')) }}
{%- endmacro %}
