{#- The contents: every row as often as its weight, with just the user's columns. -#}
{% macro counted_contents_sql(plan) -%}
select
  {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') }}
from {{ plan.relations.state }}
lateral view explode(array_repeat(0, cast(_weight as int))) copies as _copy
where {{ dbt_changelog.kernel_macros(plan).is_live }}
{%- endmacro %}
