with row_kinds as (
  select
    *,
    cast(null as bigint) as _sequence,
    explode(case
      when `op` in ('d') then array('DELETE')
      when `op` in ('c', 'r') then array('INSERT')
      when `op` in ('u') then array('UPDATE_BEFORE', 'UPDATE_AFTER')
    end) as _row_kind
  from events
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('c', 'd', 'r', 'u') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, r, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: select what came after it, and run with --full-refresh.'))
    when `op` in ('c', 'r', 'u') and `after` is null then
      raise_error(concat('Invalid \'after\' in from_changelog model \'customers\': the after image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: correct the query if it did not parse the image (from_json then gives NULL), or op_mapping if events of this code have no row after.'))
    when `op` in ('d') and `before` is null then
      raise_error(concat('Invalid \'before\' in from_changelog model \'customers\': the before image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: set unique_key: then the key of a delete is enough; or let the source write the row before (Postgres: replica identity full).'))
    when `op` in ('u') and `before` is null then
      raise_error(concat('Invalid \'before\' in from_changelog model \'customers\': the before image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: set unique_key and map the code to UPDATE_AFTER alone; or let the source write the row before (Postgres: replica identity full).'))
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
    _dbtc_image.`id`,
    _dbtc_image.`name`
  from images
)

select *
from changes
