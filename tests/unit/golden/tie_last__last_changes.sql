select
  `id`,
  max_by(struct(*), struct(_sequence, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind), to_json(struct(`id`, `name`, `lsn`), map('ignoreNullFields', 'false')))) as _last
from (
  select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`lsn`), `lsn`, isnull(`name`), `name`), 0) as _image_hash
  from changes
) as hashed_changes
group by `id`
