with checked_changes as (
  select
    case
      when _row_kind is null or _row_kind not in ('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER')
        then 'an unknown row kind'
      when sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) over (
        partition by `id`, array_sort(map_entries(`tags`))
      ) < 0 then 'a row that goes more often than it comes'
    end as _broken_rule,
    *
  from customers__changelog
)

select *
from checked_changes
where _broken_rule is not null
