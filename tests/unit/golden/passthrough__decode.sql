with row_kinds as (
  select
    *,
    `lsn` as _sequence,
    explode(case
      when `op` in ('d') then array('DELETE')
      when `op` in ('c', 'r') then array('INSERT')
      when `op` in ('u') then if(
        coalesce(`before`.`id` <> `after`.`id`, false),
        array('DELETE', 'INSERT'),
        array('UPDATE_BEFORE', 'UPDATE_AFTER')
      )
    end) as _row_kind
  from events
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('c', 'd', 'r', 'u') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, r, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `lsn` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `op` in ('c', 'r', 'u') and `after` is null then
      raise_error(concat('Invalid \'after\' in from_changelog model \'customers\': the after image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: correct the query if it did not parse the image (from_json then gives NULL), or op_mapping if events of this code have no row after.'))
    when `op` in ('u') and `before` is null then
      raise_error(concat('Invalid \'before\' in from_changelog model \'customers\': the before image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: map the code to UPDATE_AFTER alone; or set state_ttl=\'0\', and the previous row comes from the state; or let the source write the row before (Postgres: replica identity full).'))
    else true
  end
),

images as (
  select
    *,
    if(
      _row_kind in ('INSERT', 'UPDATE_AFTER'),
      `after`,
      `before`
    ) as _dbtc_image
  from row_kinds
),

changes as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    if(_dbtc_image is null, `after`.`id`, coalesce(_dbtc_image.`id`, `after`.`id`)) as `id`,
    _dbtc_image.`name`,
    `ts`
  from images
  where case
    when if(_dbtc_image is null, `after`.`id`, coalesce(_dbtc_image.`id`, `after`.`id`)) is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: name columns that are never NULL; if it is a delete whose images lack the key, select \'id\' beside them.'))
    else true
  end
)

select *
from changes
