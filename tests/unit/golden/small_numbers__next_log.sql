-- stage changes
create or replace table analytics.customers_log__changes
using iceberg
tblproperties (
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c202263726561746573223a2066616c73652c2022696e766f636174696f6e5f6964223a20227468652d696e766f636174696f6e222c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67227d',
  'dbt_changelog.log.chunks' = '1'
)
as
with new_rows as (
select
  `id`,
  `name`,
  cast(`size` as int) as `size`
from (

select * from analytics.customers

) as query
),

old_rows as (
  select
    `id`,
    `name`,
    `size`
  from (
    select
      `id`,
      `name`,
      `size`
    from analytics.customers_log__state
    where _row_kind in ('INSERT', 'UPDATE_AFTER')
  ) as contents
)

select
  _row_kind,
  cast(2 as bigint) as _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  _row.*
from (
  select
    _row_kind,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _new.row, _old.row) as _row
  from (
    select
      _old,
      _new,
      explode(case
        when case
          when `id` is null then raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': it is NULL in a row of key ', to_json(struct(`id`)), '.\nTo fix: filter such rows out in a query, or name columns that are never NULL.'))
          when _is_second then raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': two rows of one table have the key ', to_json(struct(`id`)), '.\nTo fix: add the columns that tell them apart, or leave unique_key out.'))
          else false
        end then null
        when _old.row is null then array('INSERT')
        when _new.row is null then array('DELETE')
        when not identifier(if(typeof(_old.row) rlike 'map<|variant', '_old.text', '_old.row')) <=> identifier(if(typeof(_old.row) rlike 'map<|variant', '_new.text', '_new.row'))
          then array('UPDATE_BEFORE', 'UPDATE_AFTER')
      end) as _row_kind
    from (
      select
        `id`,
        _before_is_second or _after_is_second as _is_second,
        struct(
          _before_row as row,
          if(
            typeof(_before_row) rlike 'map<|variant',
            to_json(parse_json(to_json(_before_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')))),
            null
          ) as text
        ) as _old,
        struct(
          _after as row,
          if(
            typeof(_after) rlike 'map<|variant',
            to_json(parse_json(to_json(_after, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')))),
            null
          ) as text
        ) as _new
      from (
        select
          *,
          identifier(if(typeof(_before) = typeof(_after), '_before', '_converted')) as _before_row
        from (
          select
            *,
            from_json(
              to_json(_before, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')),
              if(typeof(_before) = typeof(_after), 'struct<_:int>', typeof(_after)),
              map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')
            ) as _converted
          from (
            select
              `id`,
              struct(*) as _before,
              lag(true) over (partition by `id` order by `id`) as _before_is_second
            from old_rows
          ) as before_rows
          full outer join (
            select
              `id`,
              struct(*) as _after,
              lag(true) over (partition by `id` order by `id`) as _after_is_second
            from new_rows
          ) as after_rows using (`id`)
        ) as joined_rows
      ) as rows_of_one_type
    ) as pairs
  ) as differences
) as changed_rows;

-- append changelog
insert into analytics.customers_log (
  `op`, `id`, `name`, `size`, `_batch_id`, `_position`
)
select
  case _row_kind
    when 'DELETE' then 'DELETE'
    when 'INSERT' then 'INSERT'
    when 'UPDATE_AFTER' then 'UPDATE_AFTER'
    when 'UPDATE_BEFORE' then 'UPDATE_BEFORE'
  end as `op`,
  _row.*,
  cast(2 as bigint) as _batch_id,
  row_number() over (
    partition by `id`
    order by _sequence, _ordinal
  ) as _position
from (
  select
    *,
    _image.row as _row
  from (
    select
      * except (_row_kind, _ordinal),
      _row_kind,
      if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
      if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _new, _old) as _image
    from (
      select
        * except (_row_kind),
        explode(if(
          _row_kind = 'UPDATE_AFTER' and _old is not null, array('UPDATE_BEFORE', 'UPDATE_AFTER'), array(_row_kind)
        )) as _row_kind
      from (
        select
          * except (_row_kind, _image, _known, _is_equal, _is_last, _retracted),
          explode(case
            when _known._sequence = _sequence then if(
              (_row_kind in ('INSERT', 'UPDATE_AFTER')) <> (_known._row_kind in ('INSERT', 'UPDATE_AFTER'))
                or (_row_kind in ('INSERT', 'UPDATE_AFTER') and not _is_equal),
              raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')),
              null
            )
            when _old is null and _new is not null then array(if(_known is null, _row_kind, 'INSERT'))
            when _old is not null and _new is null then array('DELETE')
            when _new is not null and not (_known is not null and _is_equal) then array('UPDATE_AFTER')
          end) as _row_kind
        from (
          select
            *,
            identifier(if(typeof(_known._image.row) rlike 'map<|variant', '_known._image.text', '_known._image.row')) <=> identifier(if(typeof(_known._image.row) rlike 'map<|variant', '_image.text', '_image.row')) as _is_equal,
            case
              when _known is not null then if(_known._row_kind = 'DELETE', null, _known._image)
              when _retracted is not null then _retracted
              when not _row_kind in ('INSERT', 'UPDATE_AFTER') then _image
            end as _old,
            if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _image, null) as _new
          from (
            select
              *,
              lag(if(_row_kind = 'UPDATE_BEFORE', null, struct(_sequence, _row_kind, _image)))
                ignore nulls over by_key as _known,
              lag(if(_row_kind = 'UPDATE_BEFORE', _image, null)) over by_key as _retracted,
              lead(true) over by_key is null as _is_last
            from (
              select
                `_row_kind`, `_sequence`, `_ordinal`, `id`,
                struct(
                  identifier(if(typeof(_other_op) = 'void', '_row', '_clash')) as row,
                  if(
                    typeof(_row) rlike 'map<|variant',
                    to_json(parse_json(to_json(_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')))),
                    null
                  ) as text
                ) as _image
              from (
                select
                  `_row_kind`, `_sequence`, `_ordinal`, `id`,
                  null as `op`,
                  `op` as _other_op,
                  struct(if(
                    typeof(`op`) = 'void', null, raise_error('Invalid \'op\' in to_changelog model \'customers_log\': the rows have a column \'op\' too.\nTo fix: give op another name, or set before and after.')
                  ) as row) as _clash,
                  struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _row
                from analytics.customers_log__changes
                where case
                  when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog model \'customers_log\': _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
                  when `id` is null then raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: filter such rows out in the query, or use columns that are never NULL.'))
                  when _sequence is null then raise_error(concat('Invalid \'_sequence\' in to_changelog model \'customers_log\': it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: give the changelog an order, for example with sequence_by.'))
                  else true
                end
              ) as checked_changes
            ) as change_images
            window by_key as (
              partition by `id`
              order by _sequence, _row_kind <> 'UPDATE_BEFORE'
            )
          ) as neighbours
          where _row_kind <> 'UPDATE_BEFORE' or _is_last
        ) as rows_before_and_after
      ) as net_changes
    ) as split_changes
  ) as changes
) as rows
where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE');

-- write state
merge into analytics.customers_log__state as state
using (
with changes as (
  select * from analytics.customers_log__changes
),

last_changes as (
  select
    `id`,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE' as _place_1, _image_hash, _row_kind, `id`, `name`, `size`)) as _last,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _rival
  from (
    select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`name`), `name`, isnull(`size`), `size`), 0) as _image_hash
    from changes
  ) as hashed_changes
  group by `id`
),

rows_or_tombstones as (
  select
    *,
    if(_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _last, null) as _row
  from last_changes
  where if(_last._image_hash <> ~_rival._hash, raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': two different changes of one key have one sequence, ', to_json(struct(_last.`id`, _last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')), true)
)

select
  `id`,
  _row.`name`,
  _row.`size`,
  _last._sequence,
  _last._row_kind,
  _last._image_hash,
  cast(2 as bigint) as _batch_id,
  current_timestamp() as _changed_at
from rows_or_tombstones
) as batch
on state.`id` = batch.`id`
when matched
  and if(
    batch._sequence = state._sequence and batch._image_hash <> state._image_hash
      and batch._row_kind <> 'UPDATE_BEFORE' and state._row_kind <> 'UPDATE_BEFORE',
    raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': two different changes of one key have one sequence, ', to_json(struct(batch.`id`, batch._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')),
    (batch._sequence > state._sequence
    or batch._sequence = state._sequence and struct(batch._row_kind <> 'UPDATE_BEFORE') > struct(state._row_kind <> 'UPDATE_BEFORE'))
  )
then update set
  `name` = batch.`name`,
  `size` = batch.`size`,
  `_sequence` = batch.`_sequence`,
  `_row_kind` = batch.`_row_kind`,
  `_image_hash` = batch.`_image_hash`,
  `_batch_id` = batch.`_batch_id`,
  `_changed_at` = batch.`_changed_at`
when not matched then insert (
  `id`, `name`, `size`, `_sequence`, `_row_kind`, `_image_hash`, `_batch_id`, `_changed_at`
) values (
  batch.`id`, batch.`name`, batch.`size`, batch.`_sequence`, batch.`_row_kind`, batch.`_image_hash`, batch.`_batch_id`, batch.`_changed_at`
);
