{#-
  The events in which nothing is wrong, decoded, as CTEs: sound_events, images (a change whose key
  is NULL is still there) and changes, with the hash of what each leaves of its row.
-#}
{% macro diagnose_changes_sql(plan) -%}
{%- set upserts = dict(plan, upserts_only=not plan.counts_events) -%}
{%- set known = [] -%}
{%- for name in plan.unique_key -%}
{%- do known.append(dbt_changelog.image_key_sql(plan, name) ~ ' is not null') -%}
{%- endfor -%}
events as (

{{ plan.query }}

),

sound_events as (
  select *
  from events
  where size({{ dbt_changelog.diagnose_problems_sql(plan) | indent(2) }}) = 0
),
{% if plan.images %}
images as (
  {{ dbt_changelog.diagnose_images_sql(upserts, 'sound_events') | indent(2) }}
),
{% endif %}
changes as (
  select *, {{ dbt_changelog.image_hash_sql(plan) }} as _image_hash
  from (
{%- if plan.images %}
    select
      _row_kind,
      _sequence,
      {{ dbt_changelog.image_columns_sql(plan) | indent(6) }}
    from images
    where {{ known | join(' and ') or 'true' }}
{%- else %}
    {{ dbt_changelog.decode_flat_sql(upserts, 'sound_events') | indent(4) }}
{%- endif %}
  ) as decoded
)
{%- endmacro %}
