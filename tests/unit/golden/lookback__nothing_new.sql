-- contents view
create or replace view analytics.customers
as
select
  `id`,
  `name`,
  `lsn`
from analytics.customers__state
where _row_kind in ('INSERT', 'UPDATE_AFTER');
