select
  case
    when `op` in ('d', 't') then 'DELETE'
    when `op` in ('c', 'r') then 'INSERT'
  end as _row_kind,
  `lsn` as _sequence,
  0 as _ordinal,
  `id`,
  cast(`name` as string) as `name`,
  `lsn`
from events
where case
  when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  when `op` not in ('c', 'd', 'r', 't') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, r, t.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
  when `lsn` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  when `id` is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  else true
end
