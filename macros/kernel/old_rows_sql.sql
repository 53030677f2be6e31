{#- The live rows of a state that a full refresh replaces, in the columns of the plan. -#}
{% macro old_rows_sql(plan, batch) -%}
{%- set stored = batch.old_columns | map(attribute='name') | list -%}
select *, {{ dbt_changelog.image_hash_sql(plan) }} as _image_hash
from (
  select
{%- for column in plan.state_columns %}
{%- set found = dbt_changelog.find_name(column.name, stored) %}
    cast({{ dbt_changelog.quote(found) if found else 'null' }} as {{ column.type }})
    {{- ' as ' ~ dbt_changelog.quote(column.name) }},
{%- endfor %}
    _row_kind
  from {{ plan.relations.state }}
  where _row_kind in ({{ dbt_changelog.literals(dbt_changelog.live_kinds()) }})
) as live_rows
{%- endmacro %}
