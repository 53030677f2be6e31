with row_kinds as (
  select
    *,
    `lsn` as _sequence,
    case
      when `op` in ('d') then 'DELETE'
      when `op` in ('c') then 'INSERT'
      when `op` in ('u') then 'UPDATE_AFTER'
    end as _row_kind
  from events
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `after`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('c', 'd', 'u') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `lsn` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `after`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `op` in ('c', 'u') and `after` is null then
      raise_error(concat('Invalid \'after\' in from_changelog model \'customers\': the after image is NULL in the event ', to_json(struct(`op`, `after`)), '.\nTo fix: correct the query if it did not parse the image (from_json then gives NULL), or op_mapping if events of this code have no row after.'))
    else true
  end
),

images as (
  select
    *,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), `after`, null) as _dbtc_image
  from row_kinds
),

changes as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    if(_dbtc_image is null, coalesce(`after`.`id`, `id`), _dbtc_image.`id`) as `id`,
    _dbtc_image.`name`
  from images
  where case
    when if(_dbtc_image is null, coalesce(`after`.`id`, `id`), _dbtc_image.`id`) is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `after`)), '.\nTo fix: name columns that are never NULL; if it is a delete whose images lack the key, select \'id\' beside them.'))
    else true
  end
)

select *
from changes
