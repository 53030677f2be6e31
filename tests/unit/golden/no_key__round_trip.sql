with both_sides as (
  select
    `id` as `id`,
    array_sort(map_entries(`tags`)) as `tags`,
    1 as _dbtc_is_ours
  from (
  with weights as (
    select
      `id`,
      any_value(`tags`) as `tags`,
      sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) as _weight
    from (
    select
      _row_kind,
      struct(_batch_id, _sequence) as _sequence,
      _ordinal,
      `id`, `tags`
    from customers__changelog
  ) as changes
    group by
      `id`,
      array_sort(map_entries(`tags`))
  )

  select `id`, `tags`
  from weights
  lateral view explode(array_repeat(0, cast(_weight as int))) copies as _dbtc_copy
  where _weight > 0
) as folded
  union all
  select
    `id` as `id`,
    array_sort(map_entries(`tags`)) as `tags`,
    0
  from (
  with weights as (
    select
      `id`,
      any_value(`tags`) as `tags`,
      sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) as _weight
    from (
  with written as (
    select * except (_sequence, _ordinal)
    from (
  with changes_as_rows as (
    select
      `_row_kind`, `_sequence`, `_ordinal`,
      struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _dbtc_row
    from (
    select
      _row_kind,
      struct(_batch_id, _sequence) as _sequence,
      _ordinal,
      `id`, `tags`
    from customers__changelog
  ) as changes
    where case
      when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog(...): _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
      when _sequence is null then raise_error(concat('Invalid \'_sequence\' in to_changelog(...): it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`)), '.\nTo fix: give the changelog an order, for example with sequence_by.'))
      else true
    end
  ),

  checked_changes as (
    select
      `_row_kind`, `_sequence`, `_ordinal`,
      struct(_dbtc_row as row) as _dbtc_image
    from changes_as_rows
  ),

  neighbours as (
    select
      *,
      lag(_row_kind, 2) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _dbtc_kind_before_last,
      lag(struct(_row_kind, _dbtc_image)) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _dbtc_last,
      lead(_row_kind) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _dbtc_next_kind,
      lead(_row_kind, 2) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _dbtc_kind_after_next
    from checked_changes
  ),

  halves as (
    select
      * except (_dbtc_kind_before_last, _dbtc_last, _dbtc_next_kind, _dbtc_kind_after_next),
      case _row_kind
        when 'UPDATE_BEFORE' then
          not _dbtc_last._row_kind <=> 'UPDATE_BEFORE'
          and _dbtc_next_kind <=> 'UPDATE_AFTER'
          and _dbtc_kind_after_next is null
        when 'UPDATE_AFTER' then
          not _dbtc_kind_before_last <=> 'UPDATE_BEFORE'
          and _dbtc_last._row_kind <=> 'UPDATE_BEFORE'
          and _dbtc_next_kind is null
        else false
      end as _dbtc_is_pair,
      _dbtc_last._dbtc_image as _dbtc_before
    from neighbours
  ),

  joined_changes as (
    select
      * except (_row_kind, _dbtc_image, _dbtc_is_pair, _dbtc_before),
      case
        when _row_kind = 'UPDATE_BEFORE' and not _dbtc_is_pair then 'DELETE'
        when _row_kind = 'UPDATE_AFTER' and not _dbtc_is_pair then 'INSERT'
        else _row_kind
      end as _row_kind,
      case
        when not _row_kind in ('INSERT', 'UPDATE_AFTER') then _dbtc_image
        when _row_kind = 'UPDATE_AFTER' and _dbtc_is_pair then _dbtc_before
      end as _dbtc_old,
      if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_image, null) as _dbtc_new
    from halves
    where _row_kind <> 'UPDATE_BEFORE' or not _dbtc_is_pair
  ),

  event_rows as (
    select
      *,
      _dbtc_old.row as _dbtc_old_row,
      _dbtc_new.row as _dbtc_new_row
    from joined_changes
  ),

  change_events as (
    select
      case _row_kind
        when 'DELETE' then 'd'
        when 'INSERT' then 'c'
        when 'UPDATE_AFTER' then 'u'
        when 'UPDATE_BEFORE' then 'u'
      end as `op`,
      if(_dbtc_old is null, null, _dbtc_old_row) as `before`,
      if(_dbtc_new is null, null, _dbtc_new_row) as `after`,
      _sequence,
      _ordinal
    from event_rows
    where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
  )

  select *
  from change_events
  )
  )

  select *
  from (
  with row_kinds as (
    select
      *,
      cast(null as bigint) as _sequence,
      explode(case
        when cast(`op` as string) in ('d') then array('DELETE')
        when cast(`op` as string) in ('c') then array('INSERT')
        when cast(`op` as string) in ('u') then array('UPDATE_BEFORE', 'UPDATE_AFTER')
      end) as _row_kind
    from written
    where case
      when cast(`op` as string) is null then
        raise_error(concat('Invalid \'op\' in from_changelog(...): the op code is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
      when cast(`op` as string) not in ('c', 'd', 'u') then
        raise_error(concat('Unknown op code \'', cast(`op` as string), '\' in column op of from_changelog(...). Known codes: c, d, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: select what came after it, and run with --full-refresh.'))
      when cast(`op` as string) in ('c', 'u') and `after` is null then
        raise_error(concat('Invalid \'after\' in from_changelog(...): the after image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: correct the query if it did not parse the image (from_json then gives NULL), or op_mapping if events of this code have no row after.'))
      when cast(`op` as string) in ('d') and `before` is null then
        raise_error(concat('Invalid \'before\' in from_changelog(...): the before image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: set unique_key: then the key of a delete is enough; or let the source write the row before (Postgres: replica identity full).'))
      when cast(`op` as string) in ('u') and `before` is null then
        raise_error(concat('Invalid \'before\' in from_changelog(...): the before image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: set unique_key and map the code to UPDATE_AFTER alone; or let the source write the row before (Postgres: replica identity full).'))
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
      _dbtc_image.*
    from images
  )

  select *
  from changes
  )
  ) as again
    group by
      `id`,
      array_sort(map_entries(`tags`))
  )

  select `id`, `tags`
  from weights
  lateral view explode(array_repeat(0, cast(_weight as int))) copies as _dbtc_copy
  where _weight > 0
) as folded
),

counted_rows as (
  select
    `id`,
    `tags`,
    sum(_dbtc_is_ours) as _in_changelog,
    sum(1 - _dbtc_is_ours) as _in_round_trip
  from both_sides
  group by `id`, `tags`
)

select *
from counted_rows
where _in_changelog <> _in_round_trip
