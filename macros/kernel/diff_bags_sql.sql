{#-
  Two tables without a key -> the changelog between them: each row as often as its counts differ.
-#}
{% macro diff_bags_sql(plan, before, after) -%}
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
        coalesce({{ dbt_changelog.same_columns_sql('_before', '_after', '_converted') }}, _after)
          as _row
      from (
        select
          *,
          {{ dbt_changelog.read_as_sql('_before', '_after') | indent(10) }} as _converted
        from (
          select struct(*) as _before, null as _after
          from {{ before }}
          union all
          select null, struct(*)
          from {{ after }}
        ) as both_tables
      ) as converted_rows
    ) as rows_of_one_type
    group by _row
    having _count <> 0
  ) as counted_rows
) as differences
{%- endmacro %}
