{#- The change data feed of a Delta table above one version up to another. -#}
{% macro delta_changes_sql(feed, columns, start) -%}
select
  case _change_type
    when 'insert' then 'INSERT'
    when 'update_preimage' then 'UPDATE_BEFORE'
    when 'update_postimage' then 'UPDATE_AFTER'
    when 'delete' then 'DELETE'
  end as _row_kind,
  _commit_version as _sequence,
  {{ dbt_changelog.csv(columns | map(attribute='name'), separator=',\n  ') }}
from table_changes({{ dbt_changelog.literal(feed.relation) }}, {{ start.value | int + 1 }}, {{
  feed.next.value }})
{%- endmacro %}
