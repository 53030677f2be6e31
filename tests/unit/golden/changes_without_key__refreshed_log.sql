-- plan batch
alter table analytics.customers_log set tblproperties (
  -- batch: {"id": 1, "position": {}}
  -- planned: {"batch": {"id": 2, "position": {}}, "invocation_id": "run-1", "refresh": true}
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20312c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20226368616e676573222c20226b65726e656c223a20226d756c7469736574222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b2244454c455445223a202244454c455445222c2022494e53455254223a2022494e53455254222c20225550444154455f4146544552223a2022494e53455254222c20225550444154455f4245464f5245223a202244454c455445227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b5d2c202276657273696f6e223a20317d2c2022706c616e6e6564223a207b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c2022696e766f636174696f6e5f6964223a202272756e2d31222c202272656672657368223a20747275657d2c202273696e6365223a20307d',
  'dbt_changelog.log.chunks' = '1'
);

-- append changelog
insert into analytics.customers_log (
  `op`, `id`, `name`, `_batch_id`, `_position`
)
with all_changes as (
select
  `_row_kind`,
  struct(`_batch_id`, `_sequence`) as _sequence,
  `_ordinal`,
  `id`,
  cast(`name` as string) as `name`
from (

select * from analytics.customers

) as query
),

new_rows as (
  select
    `id`,
    `name`
  from (
    select
      `id`,
      `name`,
      sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) as _weight
    from all_changes
    group by
      `id`,
      `name`
  ) as weights
  lateral view explode(array_repeat(0, cast(_weight as int))) copies as _copy
  where _weight > 0
),

old_changes as (
  select
    case
      when cast(`op` as string) in ('DELETE') then 'DELETE'
      when cast(`op` as string) in ('INSERT') then 'INSERT'
    end as _row_kind,
    named_struct('_1', _batch_id, '_2', _position) as _sequence,
    0 as _ordinal,
    * except (`op`, `_batch_id`, `_position`)
  from analytics.customers_log
  where case
    when cast(`op` as string) is null then raise_error(concat('Invalid \'op\' in to_changelog model \'customers_log\': the op code is NULL in the event ', to_json(struct(`op`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
    when cast(`op` as string) not in ('DELETE', 'INSERT') then raise_error(concat('Unknown op code \'', cast(`op` as string), '\' in column op of to_changelog model \'customers_log\'. Known codes: DELETE, INSERT.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
    when _batch_id is null then raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': _batch_id is NULL in the event ', to_json(struct(`op`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
    when _position is null then raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': _position is NULL in the event ', to_json(struct(`op`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
    else true
  end
),

old_rows as (
  select
    `id`,
    `name`
  from (
    select
      `id`,
      `name`,
      sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) as _weight
    from old_changes
    group by
      `id`,
      `name`
  ) as weights
  lateral view explode(array_repeat(0, cast(_weight as int))) copies as _copy
  where _weight > 0
),

changes as (
  select
    if(_count > 0, 'INSERT', 'DELETE') as _row_kind,
    cast(2 as bigint) as _sequence,
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
          coalesce(_before_row, _after) as _row
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
              select struct(*) as _before, null as _after
              from old_rows
              union all
              select null, struct(*)
              from new_rows
            ) as rows_of_two_types
          ) as converted_rows
        ) as both_tables
      ) as all_rows
      group by _row
      having _count <> 0
    ) as counted_rows
  ) as differences
)

select
  case _row_kind
    when 'DELETE' then 'DELETE'
    when 'INSERT' then 'INSERT'
    when 'UPDATE_AFTER' then 'INSERT'
    when 'UPDATE_BEFORE' then 'DELETE'
  end as `op`,
  _row.*,
  cast(2 as bigint) as _batch_id,
  row_number() over (
    order by
      _sequence,
      _ordinal,
      array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind),
      to_json(_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS'))
  ) as _position
from (
  select
    *,
    _image.row as _row
  from (
    select
      `_row_kind`, `_sequence`, `_ordinal`,
      struct(identifier(if(typeof(_other_op) = 'void', '_row', '_clash')) as row) as _image
    from (
      select
        `_row_kind`, `_sequence`, `_ordinal`,
        null as `op`,
        `op` as _other_op,
        struct(if(
          typeof(`op`) = 'void', null, cast(raise_error('Invalid \'op\' in to_changelog model \'customers_log\': the rows have a column \'op\' too.\nTo fix: give op another name, or set before and after.') as string)
        ) as row) as _clash,
        struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _row
      from changes
      where case
        when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog model \'customers_log\': _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
        else _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
      end
    ) as checked_changes
  ) as changes
) as rows;
