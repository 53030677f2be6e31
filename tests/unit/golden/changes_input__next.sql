-- plan batch
alter table analytics.customers_log set tblproperties (
  -- log: {"absent": [], "batch": {"id": 1, "position": {"analytics.customers__changelog": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "10"}}}, "plan": {"after": "after", "before": "before", "changelog": true, "function": "to_changelog", "input": "changes", "kernel": "snapshot", "op": "op", "op_mapping": {"DELETE": "d", "INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u"}, "passthrough": [], "sequence_by": [], "uid": "model.shop.customers_log", "unique_key": ["id"], "version": 2}, "planned": {"batch": {"id": 2, "position": {"analytics.customers__changelog": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "20"}}}, "refreshes": false, "run": "run-2"}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '1',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20312c2022706f736974696f6e223a207b22616e616c79746963732e637573746f6d6572735f5f6368616e67656c6f67223a207b22626f726e223a202272756e2d30222c2022636f6c756d6e223a20225f62617463685f6964222c202274797065223a2022626967696e74222c202276616c7565223a20223130227d7d7d2c2022706c616e223a207b226166746572223a20226166746572222c20226265666f7265223a20226265666f7265222c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20226368616e676573222c20226b65726e656c223a2022736e617073686f74222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b2244454c455445223a202264222c2022494e53455254223a202263222c20225550444154455f4245464f52452c205550444154455f4146544552223a202275227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c2022706c616e6e6564223a207b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b22616e616c79746963732e637573746f6d6572735f5f6368616e67656c6f67223a207b22626f726e223a202272756e2d30222c2022636f6c756d6e223a20225f62617463685f6964222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c2022726566726573686573223a2066616c73652c202272756e223a202272756e2d32227d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
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
with changes as (
  select
    `_row_kind`,
    struct(`_batch_id`, `_sequence`) as _sequence,
    `_ordinal`,
    `id`,
    `name`
  from (

select * from (
  /* dbt_changelog range {"relation": "analytics.customers__changelog", "from": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "10"}, "to": {"column": "_batch_id", "type": "bigint", "value": "20", "born": "run-0"}} */
  select * from analytics.customers__changelog
  where ((`_batch_id` > cast('10' as bigint) and `_batch_id` <= cast('20' as bigint)) or `_batch_id` is null)
    and if(`_batch_id` is null, raise_error('Invalid \'read\' in to_changelog model \'customers_log\': _batch_id is NULL in a row of analytics.customers__changelog, which would be in no range.\nTo fix: read by a column that is never NULL, or from a view that gives such rows one.'), true)
)

  ) as query
),

changes_as_rows as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `id`,
    struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _dbtc_row
  from changes
  where case
    when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog model \'customers_log\': _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
    when `id` is null then raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: name columns that are never NULL; or leave such rows out in the query, and the events do not have them.'))
    when _sequence is null then raise_error(concat('Invalid \'_sequence\' in to_changelog model \'customers_log\': it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: give the changelog an order, for example with sequence_by.'))
    else true
  end
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
    lag(if(_row_kind = 'UPDATE_BEFORE', null, struct(_sequence, _row_kind, _dbtc_image)))
      ignore nulls over (
      partition by `id`
      order by _sequence, _row_kind <> 'UPDATE_BEFORE'
    ) as _dbtc_known,
    lag(if(_row_kind = 'UPDATE_BEFORE', _dbtc_image, null)) over (
      partition by `id`
      order by _sequence, _row_kind <> 'UPDATE_BEFORE'
    ) as _dbtc_retracted,
    lead(true) over (
      partition by `id`
      order by _sequence, _row_kind <> 'UPDATE_BEFORE'
    ) is null as _dbtc_is_last
  from checked_changes
),

before_and_after as (
  select
    *,
    _dbtc_known._dbtc_image.row <=> _dbtc_image.row
      as _dbtc_is_equal,
    case
      when _dbtc_known is not null
        then if(_dbtc_known._row_kind = 'DELETE', null, _dbtc_known._dbtc_image)
      when _dbtc_retracted is not null then _dbtc_retracted
      when not _row_kind in ('INSERT', 'UPDATE_AFTER') then _dbtc_image
    end as _dbtc_old,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_image, null) as _dbtc_new
  from neighbours
  where _row_kind <> 'UPDATE_BEFORE' or _dbtc_is_last
),

net_changes as (
  select
    * except (_row_kind, _dbtc_image, _dbtc_known, _dbtc_is_equal, _dbtc_is_last, _dbtc_retracted),
    explode(case
      when _dbtc_known._sequence = _sequence then
        if(
          (_row_kind in ('INSERT', 'UPDATE_AFTER')) <> (_dbtc_known._row_kind in ('INSERT', 'UPDATE_AFTER'))
            or (_row_kind in ('INSERT', 'UPDATE_AFTER') and not _dbtc_is_equal),
          raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')),
          null
        )
      when _dbtc_old is null and _dbtc_new is not null then array('INSERT')
      when _dbtc_old is not null and _dbtc_new is null then array('DELETE')
      when _dbtc_new is not null and not (_dbtc_known is not null and _dbtc_is_equal)
        then array('UPDATE_AFTER')
    end) as _row_kind
  from before_and_after
),

event_rows as (
  select
    *,
    _dbtc_old.row as _dbtc_old_row,
    _dbtc_new.row as _dbtc_new_row
  from net_changes
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
  false as is_full_refresh,
  '{"analytics.customers__changelog": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "10"}}' as from_position,
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
