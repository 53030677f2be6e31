select
  `order_id`, `line`,
  max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE' as _place_1, _image_hash, _row_kind, `order_id`, `line`, `amount`, `lsn`)) as _last,
  max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _rival
from (
  select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`amount`), `amount`, isnull(`lsn`), `lsn`), 0) as _image_hash
  from changes
) as hashed_changes
group by `order_id`, `line`
