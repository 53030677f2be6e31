select
  _row_kind,
  _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  if(_image is null, `after`.`id`, coalesce(_image.`id`, `after`.`id`)) as `id`,
  cast(_image.`name` as string) as `name`
from (
  select
    *,
    if(
      _row_kind in ('INSERT', 'UPDATE_AFTER'),
      `after`,
      `before`
    ) as _image
  from (
    select
      *,
      `lsn` as _sequence,
      explode(case
        when `op` in ('d') then array('DELETE')
        when `op` in ('c', 'r') then array('INSERT')
        when `op` in ('u') then if(coalesce(`before`.`id` <> `after`.`id`, false), array('DELETE', 'INSERT'), array('UPDATE_BEFORE', 'UPDATE_AFTER'))
      end) as _row_kind
    from events
    where case
      when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
      when `op` not in ('c', 'd', 'r', 'u') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, r, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
      when `lsn` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
      when `op` in ('c', 'r', 'u')
        and `after` is null then raise_error(concat('Invalid \'after\' in from_changelog model \'customers\': the after image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query.'))
      when `op` in ('u')
        and `before` is null then raise_error(concat('Invalid \'before\' in from_changelog model \'customers\': the before image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: set state_ttl=\'0\' with unique_key, and the previous row comes from the state; map the code to UPDATE_AFTER alone; or filter such rows out in the query.'))
      else true
    end
  ) as row_kinds
) as images
where case
  when if(_image is null, `after`.`id`, coalesce(_image.`id`, `after`.`id`)) is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  else true
end
