select
  `id`,
  max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE' as _place_1, _image_hash, _row_kind, `id`, `name`)) as _last,
  max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _rival
from (
  select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`name`), `name`), 0) as _image_hash
  from changes
) as hashed_changes
group by `id`
