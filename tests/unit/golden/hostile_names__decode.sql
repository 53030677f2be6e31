with changes as (
  select
    case
      when `o p'``` in ('\\') then 'DELETE'
      when `o p'``` in ('\'') then 'INSERT'
    end as _row_kind,
    `l.s` as _sequence,
    0 as _ordinal,
    `i``d`,
    `select`,
    `*/--`,
    `l.s`
  from events
  where case
    when `o p'``` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`o p'```, `i``d`)), '.\nTo fix: leave null records out in the query (where o p\'` is not null); any other event needs its code.'))
    when `o p'``` not in ('\'', '\\') then
      raise_error(concat('Unknown op code \'', `o p'```, '\' in column o p\'` of from_changelog model \'customers\'. Known codes: \', \\.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `l.s` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `l.s` is NULL in the event ', to_json(struct(`o p'```, `i``d`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `i``d` is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column i`d is NULL in the event ', to_json(struct(`o p'```, `i``d`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
    else true
  end
)

select *
from changes
