-- append changelog
create or replace table analytics.customers_log
using delta
tblproperties (
  -- batch: {"id": 1, "position": {}}
  -- planned: {"batch": {"id": 1, "position": {}}, "invocation_id": "run-1", "refresh": false}
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20312c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a20226166746572222c20226265666f7265223a20226265666f7265222c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20226368616e676573222c20226b65726e656c223a20226c6173745f77726974655f77696e73222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b2244454c455445223a202264222c2022494e53455254223a202263222c20225550444154455f4245464f52452c205550444154455f4146544552223a202275227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20317d2c2022706c616e6e6564223a207b226261746368223a207b226964223a20312c2022706f736974696f6e223a207b7d7d2c2022696e766f636174696f6e5f6964223a202272756e2d31222c202272656672657368223a2066616c73657d2c202273696e6365223a20307d',
  'dbt_changelog.log.chunks' = '1'
)
as
with changes as (
select
  `_row_kind`,
  struct(`_batch_id`, `_sequence`) as _sequence,
  `_ordinal`,
  `id`,
  cast(`name` as string) as `name`
from (

select * from analytics.customers

) as query
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
  cast(1 as bigint) as _batch_id,
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
      * except (_row_kind, _image, _known, _is_equal, _is_last, _retracted),
      explode(case
        when _known._sequence = _sequence then if(
          (_row_kind in ('INSERT', 'UPDATE_AFTER')) <> (_known._row_kind in ('INSERT', 'UPDATE_AFTER'))
            or (_row_kind in ('INSERT', 'UPDATE_AFTER') and not _is_equal),
          raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')),
          null
        )
        when _old is null and _new is not null then array('INSERT')
        when _old is not null and _new is null then array('DELETE')
        when _new is not null and not (_known is not null and _is_equal) then array('UPDATE_AFTER')
      end) as _row_kind
    from (
      select
        *,
        _known._image.row <=> _image.row as _is_equal,
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
            ignore nulls over (partition by `id` order by _sequence, _row_kind <> 'UPDATE_BEFORE') as _known,
          lag(if(_row_kind = 'UPDATE_BEFORE', _image, null)) over (partition by `id` order by _sequence, _row_kind <> 'UPDATE_BEFORE') as _retracted,
          lead(true) over (partition by `id` order by _sequence, _row_kind <> 'UPDATE_BEFORE') is null as _is_last
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
      ) as neighbours
      where _row_kind <> 'UPDATE_BEFORE' or _is_last
    ) as rows_before_and_after
  ) as changes
) as rows
where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE');
