select
  case
    when `o p'``` in ('\\') then 'DELETE'
    when `o p'``` in ('\'') then 'INSERT'
  end as _row_kind,
  `l.s` as _sequence,
  0 as _ordinal,
  `i``d`,
  cast(`select` as string) as `select`,
  cast(`*/--` as string) as `*/--`,
  `l.s`
from events
where case
  when `o p'``` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`o p'```, `i``d`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  when `o p'``` not in ('\'', '\\') then raise_error(concat('Unknown op code \'', `o p'```, '\' in column o p\'` of from_changelog model \'customers\'. Known codes: \', \\.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
  when `l.s` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `l.s` is NULL in the event ', to_json(struct(`o p'```, `i``d`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  when `i``d` is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column i`d is NULL in the event ', to_json(struct(`o p'```, `i``d`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  else true
end
