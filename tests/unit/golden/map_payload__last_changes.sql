with last_changes as (
  select
    `id`,
    max_by(struct(*), struct(_sequence, _row_kind <> 'UPDATE_BEFORE', _image_hash)) as _dbtc_last,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _dbtc_rival
  from hashed_changes
  group by `id`
)

select *
from last_changes
