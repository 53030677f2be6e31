(
with changes as (
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
    when cast(`op` as string) is null then
      raise_error(concat('Invalid \'op\' in from_changelog(...) of model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when cast(`op` as string) not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
      raise_error(concat('Unknown op code \'', cast(`op` as string), '\' in column op of from_changelog(...) of model \'customers\'. Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when lsn is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog(...) of model \'customers\': lsn is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog(...) of model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
    else true
  end
)

select *
from changes
)
