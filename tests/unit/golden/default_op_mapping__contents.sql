select
  `id`,
  `name`,
  `lsn`
from analytics.customers__state
where _row_kind in ('INSERT', 'UPDATE_AFTER')
