{#-
  Whether a key had a row before the batch that replaces it; NULL if it had just this one. What the
  batch itself has written, in a run that was killed, is not before it.
-#}
{% macro was_live_sql() -%}
{%- set was, is = dbt_changelog.live_kind_sql('state.'), dbt_changelog.live_kind_sql('batch.') -%}
case
  when state._batch_id = batch._batch_id and state._was_live is not null then state._was_live
  when {{ was }} and {{ is }}
    and state._image_hash = batch._image_hash then null
  else {{ was }}
end
{%- endmacro %}
