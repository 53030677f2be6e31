-- plan batch
alter table analytics.customers_log set tblproperties (
  -- batch: {"id": 1, "position": {}}
  -- planned: {"batch": {"id": 2, "position": {}}, "invocation_id": "run-1", "refresh": true}
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20312c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a20226166746572222c20226265666f7265223a20226265666f7265222c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20226368616e676573222c20226b65726e656c223a20226c6173745f77726974655f77696e73222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b2244454c455445223a202264222c2022494e53455254223a202263222c20225550444154455f4245464f52452c205550444154455f4146544552223a202275227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20317d2c2022706c616e6e6564223a207b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c2022696e766f636174696f6e5f6964223a202272756e2d31222c202272656672657368223a20747275657d2c202273696e6365223a20307d',
  'dbt_changelog.log.chunks' = '1'
);

-- append changelog
insert into analytics.customers_log (
  `op`, `before`, `after`, `_batch_id`, `_position`
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
    select _last.*
    from (
      select max_by(struct(*), struct(_sequence, _ordinal, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind))) as _last
      from all_changes
      group by `id`
    ) as last_changes
    where _last._row_kind in ('INSERT', 'UPDATE_AFTER')
  ) as folded
),

old_changes as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    _image.*
  from (
    select
      *,
      if(_row_kind in ('INSERT', 'UPDATE_AFTER'), `after`, coalesce(`before`, `after`)) as _image
    from (
      select
        *,
        named_struct('_1', _batch_id, '_2', _position) as _sequence,
        explode(case
          when cast(`op` as string) in ('d') then array('DELETE')
          when cast(`op` as string) in ('c', 'u') then if(`before`.`id` is not null and (coalesce(`before`.`id` <> `after`.`id`, false)), array('DELETE', 'INSERT'), array('UPDATE_AFTER'))
        end) as _row_kind
      from analytics.customers_log
      where case
        when cast(`op` as string) is null then raise_error(concat('Invalid \'op\' in to_changelog model \'customers_log\': the op code is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
        when cast(`op` as string) not in ('c', 'd', 'u') then raise_error(concat('Unknown op code \'', cast(`op` as string), '\' in column op of to_changelog model \'customers_log\'. Known codes: c, d, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
        when _batch_id is null then raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': _batch_id is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
        when _position is null then raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': _position is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
        when cast(`op` as string) in ('c', 'u')
          and `after` is null then raise_error(concat('Invalid \'after\' in to_changelog model \'customers_log\': the after image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query.'))
        else true
      end
    ) as row_kinds
  ) as images
  where case
    when _image.`id` is null then raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': key column id is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
    else true
  end
),

old_rows as (
  select
    `id`,
    `name`
  from (
    select _last.*
    from (
      select max_by(struct(*), struct(_sequence, _ordinal, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind))) as _last
      from old_changes
      group by `id`
    ) as last_changes
    where _last._row_kind in ('INSERT', 'UPDATE_AFTER')
  ) as folded
),

changes as (
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
              select *
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
            ) as rows_of_two_types
          ) as converted_rows
        ) as pairs
      ) as pairs
    ) as differences
  ) as changed_rows
)

select
  case _row_kind
    when 'DELETE' then 'd'
    when 'INSERT' then 'c'
    when 'UPDATE_AFTER' then 'u'
    when 'UPDATE_BEFORE' then 'u'
  end as `op`,
  if(_old is null, null, _old_row) as `before`,
  if(_new is null, null, _new_row) as `after`,
  cast(2 as bigint) as _batch_id,
  row_number() over (
    partition by `id`
    order by _sequence, if(_row_kind = 'UPDATE_AFTER', 1, 0)
  ) as _position
from (
  select
    *,
    _old.row as _old_row,
    _new.row as _new_row
  from (
    select
      * except (_row_kind, _image, _is_pair, _before),
      case when _row_kind = 'UPDATE_BEFORE' and not _is_pair then 'DELETE' when _row_kind = 'UPDATE_AFTER' and not _is_pair then 'INSERT' else _row_kind end as _row_kind,
      case
        when not _row_kind in ('INSERT', 'UPDATE_AFTER') then _image
        when _row_kind = 'UPDATE_AFTER' and _is_pair then _before
      end as _old,
      if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _image, null) as _new
    from (
      select
        *,
        coalesce(case _row_kind
          when 'UPDATE_BEFORE' then
            lead(_row_kind) over (partition by `id` order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') = 'UPDATE_AFTER'
            and lead(_row_kind, 2) over (partition by `id` order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') is null
            and not lag(_row_kind) over (partition by `id` order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') <=> 'UPDATE_BEFORE'
          when 'UPDATE_AFTER' then
            lag(_row_kind) over (partition by `id` order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') = 'UPDATE_BEFORE'
            and not lag(_row_kind, 2) over (partition by `id` order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') <=> 'UPDATE_BEFORE'
            and lead(_row_kind) over (partition by `id` order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') is null
        end, false) as _is_pair,
        lag(_image) over (partition by `id` order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _before
      from (
        select
          `_row_kind`, `_sequence`, `_ordinal`, `id`,
          struct(_row as row) as _image
        from (
          select
            `_row_kind`, `_sequence`, `_ordinal`, `id`,
            struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _row
          from changes
          where case
            when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog model \'customers_log\': _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
            when `id` is null then raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: filter such rows out in the query, or use columns that are never NULL.'))
            when _sequence is null then raise_error(concat('Invalid \'_sequence\' in to_changelog model \'customers_log\': it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: give the changelog an order, for example with sequence_by.'))
            else true
          end
        ) as checked_changes
      ) as change_images
    ) as halves
    where _row_kind <> 'UPDATE_BEFORE' or not _is_pair
  ) as changes
) as rows
where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE');
