{#- How many rows a batch would write into the state, from its query, unstaged. -#}
{% macro count_newer_sql(plan, batch) -%}
select count(*) as newer_rows
from (
{{ dbt_changelog.kernel_macros(plan).rows(plan, dict(batch, empty=true)) }}
) as batch
left join {{ plan.relations.state }} as state
  on {{ dbt_changelog.same_key_sql(plan) }}
where state._row_kind is null
  or {{ dbt_changelog.is_newer_sql(plan) }}
{%- endmacro %}
