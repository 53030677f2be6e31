{#-
  Two tables without a key -> the changelog between them: each row as often as its counts differ.
-#}
{% macro diff_bags_sql(plan, before, after) -%}
{%- set rows -%}
select struct(*) as _before, null as _after
from {{ before }}
union all
select null, struct(*)
from {{ after }}
{%- endset -%}
select
  if(_count > 0, 'INSERT', 'DELETE') as _row_kind,
  {{ plan.sequence }} as _sequence,
  0 as _ordinal,
  _row.*
from (
  select
    _row,
    _count,
    explode(sequence(1, abs(_count))) as _copy
  from (
    select _row, count(_after) - count(_before) as _count
    from (
      select
        _before,
        _after,
        coalesce({{ '_before' if plan.knows_rows else '_before_row' }}, _after) as _row
      from (
        {{ (rows if plan.knows_rows else dbt_changelog.one_type_sql(rows)) | indent(8) }}
      ) as both_tables
    ) as all_rows
    group by _row
    having _count <> 0
  ) as counted_rows
) as differences
{%- endmacro %}
