select
  case
    when cast(`op` as string) in ('DELETE') then 'DELETE'
    when cast(`op` as string) in ('INSERT') then 'INSERT'
    when cast(`op` as string) in ('UPDATE_AFTER') then 'UPDATE_AFTER'
    when cast(`op` as string) in ('UPDATE_BEFORE') then 'UPDATE_BEFORE'
  end as _row_kind,
  lsn as _sequence,
  if(cast(`op` as string) in ('UPDATE_AFTER'), 1, 0) as _ordinal,
  * except (`op`)
from events
where case
  when cast(`op` as string) is null then raise_error(concat('Invalid \'op\' in from_changelog(...): the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  when cast(`op` as string) not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown op code \'', cast(`op` as string), '\' in column op of from_changelog(...). Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
  when lsn is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog(...): lsn is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  when `id` is null then raise_error(concat('Invalid \'unique_key\' in from_changelog(...): key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  else true
end
