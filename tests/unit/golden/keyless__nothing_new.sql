-- contents view
create or replace view analytics.customers
as
select
  `id`,
  `name`,
  `tags`,
  `extra`
from analytics.customers__state
lateral view explode(array_repeat(0, cast(_weight as int))) copies as _dbtc_copy
where _weight > 0;
