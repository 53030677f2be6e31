{#- The live rows of a state that a full refresh replaces, in the columns of the plan. -#}
{% macro old_rows_sql(plan, batch) -%}
select *, {{ dbt_changelog.image_hash_sql(plan) }} as _image_hash
from (
  select
    {{ dbt_changelog.old_columns_sql(plan, batch) | indent(4) }},
    _row_kind
  from {{ plan.relations.state }}
  where _row_kind in ({{ dbt_changelog.literals(dbt_changelog.live_kinds()) }})
) as live_rows
{%- endmacro %}
