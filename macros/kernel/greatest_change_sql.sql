{#-
  The greatest change of a group, as a struct of its columns. Where they have an order, a plain max:
  it aggregates by hash, where max_by sorts. The columns behind the hash never decide.
-#}
{% macro greatest_change_sql(plan) -%}
{%- set places = dbt_changelog.precedence_sql(plan) -%}
{%- if not plan.orderable -%}
{{ return('max_by(struct(*), struct(' ~ ([plan.order_by] + places + ['_image_hash']) | join(', ')
          ~ '))') }}
{%- endif -%}
{%- set columns = [plan.order_by] -%}
{%- for place in places -%}
{%- do columns.append(place ~ ' as _place_' ~ loop.index) -%}
{%- endfor -%}
{{ return('max(struct(' ~ (columns + ['_image_hash', '_row_kind']) | join(', ') ~ ', '
          ~ dbt_changelog.csv(plan.payload + plan.passthrough) ~ '))') }}
{%- endmacro %}
