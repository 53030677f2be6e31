{#- A row per row kind of an event, with the image that belongs to it; nothing is checked. -#}
{% macro diagnose_images_sql(plan, input) -%}
select
  *,
  {{ dbt_changelog.picked_image_sql(plan) | indent(2) }} as _image
from (
  select
    {{ dbt_changelog.input_star_sql(plan) }},
    {{ dbt_changelog.sequence_sql(plan) }} as _sequence,
    {{ dbt_changelog.row_kind_sql(plan) | indent(4) }} as _row_kind
  from {{ input }}
) as row_kinds
{%- endmacro %}
