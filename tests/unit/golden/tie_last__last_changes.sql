select
  `id`,
  max(struct(_sequence, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind) as _place_1, to_json(struct(`id`, `name`, `lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')) as _place_2, _image_hash, _row_kind, `id`, `name`, `lsn`)) as _last
from (
  select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`lsn`), `lsn`, isnull(`name`), `name`), 0) as _image_hash
  from changes
) as hashed_changes
group by `id`
