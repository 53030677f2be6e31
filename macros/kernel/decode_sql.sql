{#-
  Change events -> changelog: a row per row kind that the op code maps to. Columns that the table
  has and the query has no more are NULL.
-#}
{% macro decode_sql(plan, input) -%}
{%- if plan.absent -%}
{%- set absent = plan.absent | map(attribute='name') | list -%}
select
  *
{%- for column in plan.absent %},
  cast(null as {{ column.type }}) as {{ dbt_changelog.quote(column.name) }}
{%- endfor %}
from (
  {{ dbt_changelog.decode_sql(
      dict(plan, absent=[], payload=plan.payload | reject('in', absent) | list), input)
     | indent(2) }}
) as decoded
{%- elif plan.images -%}
{{ dbt_changelog.decode_images_sql(plan, input) }}
{%- else -%}
{{ dbt_changelog.decode_flat_sql(plan, input) }}
{%- endif -%}
{%- endmacro %}
