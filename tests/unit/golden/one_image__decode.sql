select
  _row_kind,
  _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  if(_image is null, `data`.`id`, _image.`id`) as `id`,
  cast(_image.`name` as string) as `name`
from (
  select
    *,
    `data` as _image
  from (
    select
      *,
      `lsn` as _sequence,
      explode(case
        when `op` in ('d') then array('DELETE')
        when `op` in ('c', 'r') then array('INSERT')
        when `op` in ('u') then array('UPDATE_BEFORE', 'UPDATE_AFTER')
      end) as _row_kind
    from events
    where case
      when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `data`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
      when `op` not in ('c', 'd', 'r', 'u') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, r, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
      when `lsn` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `data`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
      when `op` in ('c', 'r', 'u')
        and `data` is null then raise_error(concat('Invalid \'after\' in from_changelog model \'customers\': the after image is NULL in the event ', to_json(struct(`op`, `data`)), '.\nTo fix: filter such rows out in the query.'))
      else true
    end
  ) as row_kinds
) as images
where case
  when if(_image is null, `data`.`id`, _image.`id`) is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `data`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  else true
end
