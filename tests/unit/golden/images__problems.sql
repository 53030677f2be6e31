with events as (

select * from bronze.customers

),

checked_events as (
  select
    *,
    size(case
      when `op` is null then
        array('the op code is NULL')
      when `op` not in ('c', 'd', 'r', 'u') then
        array(concat('unknown op code \'', `op`, '\''))
      else array_compact(array(
        if(`lsn` is null, 'sequence_by `lsn` is NULL', null),
        if(`op` in ('c', 'r', 'u') and `after` is null, 'the after image is NULL', null),
        if(`op` in ('u') and `before` is null, 'the before image is NULL', null)
      ))
    end) as _dbtc_problems
  from events
),

sound_events as (
  select * except (_dbtc_problems)
  from checked_events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where _dbtc_problems = 0
),

row_kinds as (
  select
    *,
    `lsn` as _sequence,
    explode(case
      when `op` in ('d') then array('DELETE')
      when `op` in ('c', 'r') then array('INSERT')
      when `op` in ('u') then if(
        coalesce(`before`.`id` <> `after`.`id`, false),
        array('DELETE', 'INSERT'),
        array('UPDATE_AFTER')
      )
    end) as _row_kind
  from sound_events
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
    _dbtc_image.`name`
  from images
  where if(_dbtc_image is null, `after`.`id`, coalesce(_dbtc_image.`id`, `after`.`id`)) is not null
),

hashed_changes as (
  select
    *,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(
      isnull(`name`), `name`
    ), 0) as _image_hash
  from changes
),

tied_changes as (
  select
    concat(
      to_json(struct(`id`, _sequence)),
      ' differ in: ',
      concat_ws(', ', if(count(distinct _row_kind in ('INSERT', 'UPDATE_AFTER')) > 1, '_row_kind', null),
        if(min(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`name`), `name`), null)) <> max(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`name`), `name`), null)), 'name', null))
    ) as example
  from hashed_changes
  where _row_kind <> 'UPDATE_BEFORE'
  group by `id`, _sequence
  having min(_image_hash) <> max(_image_hash)
),

problems as (
  select
    explode(case
      when `op` is null then
        array('the op code is NULL')
      when `op` not in ('c', 'd', 'r', 'u') then
        array(concat('unknown op code \'', `op`, '\''))
      else array_compact(array(
        if(`lsn` is null, 'sequence_by `lsn` is NULL', null),
        if(`op` in ('c', 'r', 'u') and `after` is null, 'the after image is NULL', null),
        if(`op` in ('u') and `before` is null, 'the before image is NULL', null)
      ))
    end) as problem,
    to_json(struct(`op`, `before`, `after`)) as example
  from events
  union all
  select
    'key column id is NULL',
    to_json(struct(`op`, `before`, `after`))
  from images
  where if(_dbtc_image is null, `after`.`id`, coalesce(_dbtc_image.`id`, `after`.`id`)) is null
  union all
  select 'two different changes of one key have one sequence', example
  from tied_changes
),

counted_problems as (
  select
    *,
    count(*) over (partition by problem) as amount,
    row_number() over (partition by problem order by example) as place
  from problems
)

select null as problem, count(*) as amount, null as example, 0 as place
from events
union all
select problem, amount, example, place
from counted_problems
where place <= 5
order by problem nulls first, place
