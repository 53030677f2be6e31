select
  `id`,
  max_by(struct(*), struct(_sequence, _row_kind <> 'UPDATE_BEFORE', _image_hash)) as _last,
  max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _rival
from (
  select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(to_json(`extra`)), to_json(`extra`), isnull(to_json(struct(`items`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS'))), to_json(struct(`items`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')), isnull(`lsn`), `lsn`, isnull(`name`), `name`, isnull(to_json(struct(array_sort(map_entries(`tags`))), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS'))), to_json(struct(array_sort(map_entries(`tags`))), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS'))), 0) as _image_hash
  from changes
) as hashed_changes
group by `id`
