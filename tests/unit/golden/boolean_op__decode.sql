with changes as (
  select
    case
      when cast(`is_deleted` as string) in ('true') then 'DELETE'
      when cast(`is_deleted` as string) in ('false') then 'UPDATE_AFTER'
    end as _row_kind,
    `lsn` as _sequence,
    if(cast(`is_deleted` as string) in ('false'), 1, 0) as _ordinal,
    `id`,
    `name`,
    `lsn`
  from events
  where case
    when cast(`is_deleted` as string) is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`is_deleted`, `id`)), '.\nTo fix: leave null records out in the query (where is_deleted is not null); any other event needs its code.'))
    when cast(`is_deleted` as string) not in ('false', 'true') then
      raise_error(concat('Unknown op code \'', cast(`is_deleted` as string), '\' in column is_deleted of from_changelog model \'customers\'. Known codes: false, true.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `lsn` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`is_deleted`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`is_deleted`, `id`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
    else true
  end
)

select *
from changes
