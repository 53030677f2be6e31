-- create event table
create or replace table analytics.customers_log
using delta
tblproperties (
  -- log: {"absent": [], "batch": {"id": 0, "position": {}}, "plan": {"after": "after", "before": "before", "changelog": true, "function": "to_changelog", "input": "changes", "kernel": "snapshot", "op": "op", "op_mapping": {"DELETE": "d", "INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u"}, "passthrough": [], "sequence_by": [], "uid": "model.shop.customers_log", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '0',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20302c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a20226166746572222c20226265666f7265223a20226265666f7265222c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20226368616e676573222c20226b65726e656c223a2022736e617073686f74222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b2244454c455445223a202264222c2022494e53455254223a202263222c20225550444154455f4245464f52452c205550444154455f4146544552223a202275227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = ''
)
as
with changes as (
  select
    `_row_kind`,
    struct(`_batch_id`, `_sequence`) as _sequence,
    `_ordinal`,
    `id`,
    `name`
  from (

select * from (
select * from (
  /* dbt_changelog range {"relation": "analytics.customers__changelog", "from": null, "to": {"column": "_batch_id", "type": "bigint", "value": "10", "born": "run-0"}} */
  select * from analytics.customers__changelog
  where ((`_batch_id` <= cast('10' as bigint)) or `_batch_id` is null)
    and if(`_batch_id` is null, raise_error('Invalid \'read\' in to_changelog model \'customers_log\': _batch_id is NULL in a row of analytics.customers__changelog, which would be in no range.\nTo fix: read by a column that is never NULL, or from a view that gives such rows one.'), true)
)
)
where false

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
    lag(_row_kind, 2) over (partition by `id` order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _dbtc_kind_before_last,
    lag(struct(_row_kind, _dbtc_image)) over (partition by `id` order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _dbtc_last,
    lead(_row_kind) over (partition by `id` order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _dbtc_next_kind,
    lead(_row_kind, 2) over (partition by `id` order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _dbtc_kind_after_next
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
    cast(0 as bigint) as _batch_id,
    row_number() over (
      partition by `id`
      order by _sequence, if(_row_kind = 'UPDATE_AFTER', 1, 0)
    ) as _position
  from event_rows
  where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
)

select *
from change_events
where false;
