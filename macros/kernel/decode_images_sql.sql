{#- With images the row kind picks the image: before for -U and -D, after for +I and +U. -#}
{% macro decode_images_sql(plan, input) -%}
select
  _row_kind,
  _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  {{ dbt_changelog.image_columns_sql(plan) | indent(2) }}
{{- ',\n  ' ~ plan.arrived ~ ' as _arrived' if plan.arrived }}
from (
  select
    *,
    {{ dbt_changelog.picked_image_sql(plan) | indent(4) }} as _image
  from (
    select
      {{ dbt_changelog.input_star_sql(plan) }},
      {{ dbt_changelog.sequence_sql(plan) }} as _sequence,
      {{ dbt_changelog.row_kind_sql(plan) | indent(6) }} as _row_kind
    from {{ input }}
    where {{ dbt_changelog.event_checks_sql(plan, []) | indent(4) }}
  ) as row_kinds
) as images
{%- if plan.unique_key %}
where {{ dbt_changelog.image_key_check_sql(plan) }}
{%- endif -%}
{%- endmacro %}
