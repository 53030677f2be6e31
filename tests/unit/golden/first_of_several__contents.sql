with shown_rows as (
  select
    `id`,
    min_by(struct(`name`, `ts`), if(size(_places) > 0, struct(try_element_at(_places, 1) as place, to_json(struct(`id`, `name`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')) as row), null)) as _dbtc_row
  from analytics.customers__state
  where size(_places) > 0
  group by `id`
)

select
  `id`,
  _dbtc_row.`name`,
  _dbtc_row.`ts`
from shown_rows
