{#-
  Change events -> changelog: a row per row kind that the op code maps to, in the columns of the
  table: those that the query has no more are NULL, those that are wider there are cast.
-#}
{% macro decode_sql(plan, input) -%}
{%- if plan.absent or plan.lifted -%}
{%- set absent = plan.absent | map(attribute='name') | list -%}
{%- set lifted = plan.lifted | map(attribute='name') -%}
select
  *{{ ' except (' ~ dbt_changelog.csv(lifted) ~ ')' if plan.lifted }}
{%- for column in plan.lifted %},
  cast({{ dbt_changelog.quote(column.name) }} as {{ column.type }})
    as {{ dbt_changelog.quote(column.name) }}
{%- endfor %}
{%- for column in plan.absent %},
  cast(null as {{ column.type }}) as {{ dbt_changelog.quote(column.name) }}
{%- endfor %}
from (
  {{ dbt_changelog.decode_sql(dict(
      plan, absent=[], lifted=[], payload=plan.payload | reject('in', absent) | list), input)
     | indent(2) }}
) as decoded
{%- elif plan.images -%}
{{ dbt_changelog.decode_images_sql(plan, input) }}
{%- else -%}
{{ dbt_changelog.decode_flat_sql(plan, input) }}
{%- endif -%}
{%- endmacro %}
