select
  `id`,
  max_by(struct(*), struct(_sequence, _row_kind <> 'UPDATE_BEFORE', _image_hash)) as _last,
  max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _rival
from (
  select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`extra`), to_json(parse_json(to_json(`extra`, map('timeZone', 'UTC')))), isnull(`items`), xxhash64(array_size(`items`), transform(`items`, item -> xxhash64(isnull(item), item))), isnull(`lsn`), `lsn`, isnull(`name`), `name`, isnull(`tags`), xxhash64(array_size(map_keys(`tags`)), array_sort(transform(map_entries(`tags`), item -> xxhash64(isnull(item.key), item.key, isnull(item.value), item.value))))), 0) as _image_hash
  from changes
) as hashed_changes
group by `id`
