with last_changes as (
  select
    `id`,
    max(struct(
      _sequence,
      array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind) as _dbtc_rank_1,
      to_json(struct(`id`, `name`, `lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')) as _dbtc_rank_2,
      _image_hash,
      _row_kind,
      `id`,
      `name`,
      `lsn`
    )) as _dbtc_last
  from hashed_changes
  group by `id`
)

select *
from last_changes
