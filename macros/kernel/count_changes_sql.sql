{#- How the changes of a batch stand to the state that it finds. -#}
{% macro count_changes_sql(plan, batch) -%}
with {{ dbt_changelog.batch_changes_sql(plan, batch) }},

hashed_changes as (
  select *, {{ dbt_changelog.image_hash_sql(plan) }} as _image_hash
  from changes
)

{{ dbt_changelog.places_sql(plan, 'hashed_changes') }}
{%- endmacro %}
