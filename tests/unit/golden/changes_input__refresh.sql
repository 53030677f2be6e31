-- plan batch
alter table analytics.customers_log set tblproperties (
  -- log: {"absent": [], "batch": {"id": 1, "position": {"analytics.customers__changelog": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "10"}}}, "plan": {"after": "after", "before": "before", "changelog": true, "function": "to_changelog", "input": "changes", "kernel": "snapshot", "op": "op", "op_mapping": {"DELETE": "d", "INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u"}, "passthrough": [], "sequence_by": [], "uid": "model.shop.customers_log", "unique_key": ["id"], "version": 2}, "planned": {"batch": {"id": 2, "position": {"analytics.customers__changelog": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "20"}}}, "refreshes": true, "run": "run-2"}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '1',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20312c2022706f736974696f6e223a207b22616e616c79746963732e637573746f6d6572735f5f6368616e67656c6f67223a207b22626f726e223a202272756e2d30222c2022636f6c756d6e223a20225f62617463685f6964222c202274797065223a2022626967696e74222c202276616c7565223a20223130227d7d7d2c2022706c616e223a207b226166746572223a20226166746572222c20226265666f7265223a20226265666f7265222c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20226368616e676573222c20226b65726e656c223a2022736e617073686f74222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b2244454c455445223a202264222c2022494e53455254223a202263222c20225550444154455f4245464f52452c205550444154455f4146544552223a202275227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c2022706c616e6e6564223a207b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b22616e616c79746963732e637573746f6d6572735f5f6368616e67656c6f67223a207b22626f726e223a202272756e2d30222c2022636f6c756d6e223a20225f62617463685f6964222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c2022726566726573686573223a20747275652c202272756e223a202272756e2d32227d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = 'run-2 2'
);

-- append changelog
insert into analytics.customers_log (
  `op`,
  `before`,
  `after`,
  `_batch_id`,
  `_position`
)
with all_changes as (
  select
    `_row_kind`,
    struct(`_batch_id`, `_sequence`) as _sequence,
    `_ordinal`,
    `id`,
    `name`
  from (

select * from (
  /* dbt_changelog range {"relation": "analytics.customers__changelog", "from": null, "to": {"column": "_batch_id", "type": "bigint", "value": "20", "born": "run-0"}} */
  select * from analytics.customers__changelog
  where ((`_batch_id` <= cast('20' as bigint)) or `_batch_id` is null)
    and if(`_batch_id` is null, raise_error('Invalid \'read\' in to_changelog model \'customers_log\': _batch_id is NULL in a row of analytics.customers__changelog, which would be in no range.\nTo fix: read by a column that is never NULL, or from a view that gives such rows one.'), true)
)

  ) as query
),

all_changes_left as (
  select
    max_by(
      struct(*),
      struct(_sequence, _ordinal, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind))
    ) as _dbtc_last
  from all_changes
  group by `id`
),

new_rows as (
  select
    cast(_dbtc_last.`id` as int) as `id`,
    cast(_dbtc_last.`name` as string) as `name`
  from all_changes_left
  where _dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER')
),

row_kinds as (
  select
    *,
    named_struct('_1', _batch_id, '_2', _position) as _sequence,
    explode(case
      when cast(`op` as string) in ('d') then array('DELETE')
      when cast(`op` as string) in ('c', 'u') then if(
        `before`.`id` is not null and (coalesce(`before`.`id` <> `after`.`id`, false)),
        array('DELETE', 'INSERT'),
        array('UPDATE_AFTER')
      )
    end) as _row_kind
  from analytics.customers_log
  where case
    when cast(`op` as string) is null then
      raise_error(concat('Invalid \'op\' in to_changelog model \'customers_log\': the op code is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when cast(`op` as string) not in ('c', 'd', 'u') then
      raise_error(concat('Unknown op code \'', cast(`op` as string), '\' in column op of to_changelog model \'customers_log\'. Known codes: c, d, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when _batch_id is null then
      raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': _batch_id is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when _position is null then
      raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': _position is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when cast(`op` as string) in ('c', 'u') and `after` is null then
      raise_error(concat('Invalid \'after\' in to_changelog model \'customers_log\': the after image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: correct the query if it did not parse the image (from_json then gives NULL), or op_mapping if events of this code have no row after.'))
    else true
  end
),

images as (
  select
    *,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), `after`, coalesce(`before`, `after`)) as _dbtc_image
  from row_kinds
),

changes as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    _dbtc_image.*
  from images
  where case
    when _dbtc_image.`id` is null then
      raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': key column id is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: name columns that are never NULL.'))
    else true
  end
),

changes_left as (
  select
    max_by(
      struct(*),
      struct(_sequence, _ordinal, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind))
    ) as _dbtc_last
  from changes
  group by `id`
),

old_rows as (
  select
    cast(_dbtc_last.`id` as int) as `id`,
    cast(_dbtc_last.`name` as string) as `name`
  from changes_left
  where _dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER')
),

_dbtc_before_rows as (
  select
    `id`,
    struct(*) as _dbtc_before,
    lag(true) over (partition by `id` order by `id`) as _dbtc_before_is_second
  from old_rows
),

_dbtc_after_rows as (
  select
    `id`,
    struct(*) as _dbtc_after,
    lag(true) over (partition by `id` order by `id`) as _dbtc_after_is_second
  from new_rows
),

pairs as (
  select *
  from _dbtc_before_rows
  full outer join _dbtc_after_rows using (`id`)
),

compared_pairs as (
  select
    `id`,
    _dbtc_before_is_second or _dbtc_after_is_second as _dbtc_is_second,
    struct(_dbtc_before as row) as _dbtc_old,
    struct(_dbtc_after as row) as _dbtc_new
  from pairs
),

changed_pairs as (
  select
    _dbtc_old,
    _dbtc_new,
    explode(case
      when case
        when `id` is null then
          raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': it is NULL in the row ', left(to_json(coalesce(_dbtc_new.row, _dbtc_old.row)), 200), '.\nTo fix: name columns that are never NULL, or leave unique_key out: then rows are counted.'))
        when _dbtc_is_second then
          raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': two rows of one table have the key ', to_json(struct(`id`)), '.\nTo fix: add the columns that tell them apart, or leave unique_key out.'))
        else false
      end then null
      when _dbtc_old.row is null then array('INSERT')
      when _dbtc_new.row is null then array('DELETE')
      when not _dbtc_old.row <=> _dbtc_new.row
        then array('UPDATE_BEFORE', 'UPDATE_AFTER')
    end) as _row_kind
  from compared_pairs
),

changed_rows as (
  select _row_kind, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.row, _dbtc_old.row) as _dbtc_row
  from changed_pairs
),

differences as (
  select
    _row_kind,
    cast(2 as bigint) as _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    _dbtc_row.*
  from changed_rows
),

changes_as_rows as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `id`,
    struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _dbtc_row
  from differences
),

checked_changes as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `id`,
    struct(_dbtc_row as row) as _dbtc_image
  from changes_as_rows
),

neighbours as (
  select
    *,
    lag(_dbtc_image) over (
      partition by `id`
      order by _ordinal
    ) as _dbtc_before
  from checked_changes
),

joined_changes as (
  select
    * except (_dbtc_image, _dbtc_before),
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_before, _dbtc_image) as _dbtc_old,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_image, null) as _dbtc_new
  from neighbours
  where _row_kind <> 'UPDATE_BEFORE'
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
    cast(2 as bigint) as _batch_id,
    row_number() over (
      partition by `id`
      order by _sequence, if(_row_kind = 'UPDATE_AFTER', 1, 0)
    ) as _position
  from event_rows
  where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
)

select *
from change_events;

-- count events
select count(*) as rows_inserted
from analytics.customers_log
where _batch_id = 2;

-- commit batch
alter table analytics.customers_log set tblproperties (
  -- log: {"absent": [], "batch": {"id": 2, "position": {"analytics.customers__changelog": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "20"}}}, "plan": {"after": "after", "before": "before", "changelog": true, "function": "to_changelog", "input": "changes", "kernel": "snapshot", "op": "op", "op_mapping": {"DELETE": "d", "INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u"}, "passthrough": [], "sequence_by": [], "uid": "model.shop.customers_log", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '2',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b22616e616c79746963732e637573746f6d6572735f5f6368616e67656c6f67223a207b22626f726e223a202272756e2d30222c2022636f6c756d6e223a20225f62617463685f6964222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c2022706c616e223a207b226166746572223a20226166746572222c20226265666f7265223a20226265666f7265222c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20226368616e676573222c20226b65726e656c223a2022736e617073686f74222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b2244454c455445223a202264222c2022494e53455254223a202263222c20225550444154455f4245464f52452c205550444154455f4146544552223a202275227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = ''
);

-- batches row
insert into analytics.dbt_changelog_batches (
  uid,
  batch_id,
  invocation_id,
  started_at,
  committed_at,
  is_full_refresh,
  from_position,
  to_position,
  rows_inserted,
  rows_updated,
  rows_deleted,
  events_late,
  events_duplicate,
  events_invalid,
  truncates,
  values_unknown,
  tombstones_forgotten,
  rows_hidden,
  events_ignored,
  events_dropped,
  events_waiting
)
select
  'model.shop.customers_log' as uid,
  cast(2 as bigint) as batch_id,
  'run-2' as invocation_id,
  timestamp'2026-01-02T03:04:05+00:00' as started_at,
  current_timestamp() as committed_at,
  true as is_full_refresh,
  '{}' as from_position,
  '{"analytics.customers__changelog": {"column": "_batch_id", "type": "bigint", "value": "20", "born": "run-0"}}' as to_position,
  cast(0 as bigint) as rows_inserted,
  cast(null as bigint) as rows_updated,
  cast(null as bigint) as rows_deleted,
  cast(null as bigint) as events_late,
  cast(null as bigint) as events_duplicate,
  cast(null as bigint) as events_invalid,
  cast(null as bigint) as truncates,
  cast(null as bigint) as values_unknown,
  cast(null as bigint) as tombstones_forgotten,
  cast(null as bigint) as rows_hidden,
  cast(null as bigint) as events_ignored,
  cast(null as bigint) as events_dropped,
  cast(null as bigint) as events_waiting;
