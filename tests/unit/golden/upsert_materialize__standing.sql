with counted_keys as (
  select sum(size(_places)) as _dbtc_copies
  from analytics.customers__state
  group by `id`
)

select
  count(*) filter (where _dbtc_copies > 0) as rows_shown,
  coalesce(sum(greatest(_dbtc_copies - 1, 0)), 0) as rows_hidden
from counted_keys
