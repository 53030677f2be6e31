-- stage changes
create or replace table analytics.customers_log__changes
using delta
tblproperties (
  -- batch: {"id": 16, "position": {}}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a2031362c2022706f736974696f6e223a207b7d7d2c202263726561746573223a2066616c73652c2022696e766f636174696f6e5f6964223a20227468652d696e766f636174696f6e222c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67227d',
  'dbt_changelog.log.chunks' = '1'
)
as
with new_rows as (
select
  `id`,
  `name`
from (

select * from analytics.customers

) as query
),

old_rows as (
  select
    `id`,
    `name`
  from (
    select
      `id`,
      `name`
    from analytics.customers_log__state
    lateral view explode(array_repeat(0, cast(_weight as int))) copies as _copy
    where _weight > 0
  ) as contents
)

select
  if(_count > 0, 'INSERT', 'DELETE') as _row_kind,
  cast(16 as bigint) as _sequence,
  0 as _ordinal,
  _row.*
from (
  select
    _row,
    _count,
    explode(sequence(1, abs(_count))) as _copy
  from (
    select _row, count(_after) - count(_before) as _count
    from (
      select
        _before,
        _after,
        coalesce(_before, _after) as _row
      from (
        select struct(*) as _before, null as _after
        from old_rows
        union all
        select null, struct(*)
        from new_rows
      ) as both_tables
    ) as all_rows
    group by _row
    having _count <> 0
  ) as counted_rows
) as differences;

-- append changelog
insert into analytics.customers_log (
  `op`, `id`, `name`, `_batch_id`, `_position`
)
select
  case _row_kind
    when 'INSERT' then 'INSERT'
  end as `op`,
  _row.*,
  cast(16 as bigint) as _batch_id,
  row_number() over (
    order by
      _sequence,
      _ordinal,
      array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind),
      to_json(_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
  ) as _position
from (
  select
    *,
    _image.row as _row
  from (
    select
      `_row_kind`, `_sequence`, `_ordinal`,
      struct(_row as row) as _image
    from (
      select
        `_row_kind`, `_sequence`, `_ordinal`,
        struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _row
      from analytics.customers_log__changes
      where case
        when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog model \'customers_log\': _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
        when _row_kind <> 'INSERT' then raise_error(concat('Invalid \'encoding\' in to_changelog model \'customers_log\': append has no event for the change ', to_json(struct(`_row_kind`, `id`, `name`)), '.\nTo fix: set encoding=\'retract\', or encoding=\'upsert\' with unique_key; or make it a query that only adds rows.'))
        else _row_kind in ('INSERT')
      end
    ) as checked_changes
  ) as changes
) as rows;

-- write state
merge into analytics.customers_log__state as state
using (
with changes as (
  select * from analytics.customers_log__changes
),

weights as (
  select
    `id`,
    `name`,
    sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) as _weight
  from changes
  group by
    `id`,
    `name`
)

select
  `id`,
  `name`,
  _weight,
  cast(0 as bigint) as _weight_before,
  xxhash64(`id`, `name`) as _image_hash,
  cast(16 as bigint) as _batch_id,
  current_timestamp() as _changed_at
from weights
where _weight <> 0
) as batch
on state._image_hash = batch._image_hash
  and state.`id` <=> batch.`id`
  and state.`name` <=> batch.`name`
when matched
  and if(
    state._batch_id = batch._batch_id,
    raise_error(concat('The state of to_changelog model \'customers_log\' has rows of a batch that was not committed, ', batch._batch_id, ': another run works on it, or its staged changes were lost.\nTo fix: let the other run end and run again; if there is none, run with --full-refresh if the source still has all events.')),
    true
  )
then update set
  _weight = state._weight + batch._weight,
  _weight_before = state._weight,
  _batch_id = batch._batch_id,
  _changed_at = batch._changed_at
when not matched then insert (
  `id`, `name`, `_weight`, `_weight_before`, `_image_hash`, `_batch_id`, `_changed_at`
) values (
  batch.`id`, batch.`name`, batch.`_weight`, batch.`_weight_before`, batch.`_image_hash`, batch.`_batch_id`, batch.`_changed_at`
);

-- purge state
delete from analytics.customers_log__state
where not (_weight > 0)
  and _batch_id < 16;
