with last_changes as (
  select
    `order_id`, `line`,
    max(struct(
      _sequence,
      _row_kind <> 'UPDATE_BEFORE' as _dbtc_rank_1,
      _image_hash,
      _row_kind,
      `order_id`,
      `line`,
      `amount`,
      `lsn`
    )) as _dbtc_last,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _dbtc_rival
  from hashed_changes
  group by `order_id`, `line`
)

select *
from last_changes
