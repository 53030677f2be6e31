{#-
  What a table's versions changed. A row that a version wrote anew, as often as before, is left out:
  files are rewritten whole. With a key a row that goes and one that comes are an update of it.
-#}
{% macro net_feed_sql(columns, key, changes) -%}
{%- set row, one_key = [], '(partition by _sequence, ' ~ dbt_changelog.csv(key or []) ~ ')' -%}
{%- for column in columns -%}
{%- do row.append(dbt_changelog.comparable_sql(dbt_changelog.quote(column.name), column)) -%}
{%- endfor -%}
{%- set one_row = 'partition by _sequence, ' ~ row | join(', ') -%}
select
{%- if key %}
  case
    when min(_is_live) over {{ one_key }} = max(_is_live) over {{ one_key }}
      then if(_is_live, 'INSERT', 'DELETE')
    else if(_is_live, 'UPDATE_AFTER', 'UPDATE_BEFORE')
  end as _row_kind,
{%- else %}
  _row_kind,
{%- endif %}
  _sequence,
  if(_is_live, 1, 0) as _ordinal,
  {{ dbt_changelog.csv(columns | map(attribute='name'), separator=',\n  ') }},
  _sequence as _batch_id
from (
  select
    *,
    sum(if(_is_live, 1, -1)) over ({{ one_row }}) as _weight,
    row_number() over ({{ one_row }}, _is_live order by _row_kind) as _copy
  from (
    select *, {{ dbt_changelog.live_kind_sql() }} as _is_live
    from (
      {{ changes | indent(6) }}
    ) as feed
  ) as live_changes
) as weighed_changes
where _is_live = (_weight > 0) and _copy <= abs(_weight)
{%- endmacro %}
