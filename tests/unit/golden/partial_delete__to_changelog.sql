(
with changes_as_rows as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `id`,
    null as `op`,
    `op` as _dbtc_other_op,
    struct(if(
      typeof(`op`) = 'void', null, cast(raise_error('Invalid \'op\' in to_changelog(...): the rows have a column \'op\' too.\nTo fix: give op another name, or set before and after.') as string)
    ) as row) as _dbtc_clash,
    struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _dbtc_row
  from changes
  where case
    when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog(...): _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
    when `id` is null then raise_error(concat('Invalid \'unique_key\' in to_changelog(...): it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: name columns that are never NULL; or leave such rows out in the query, and the events do not have them.'))
    else _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
  end
),

checked_changes as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `id`,
    struct(identifier(if(typeof(_dbtc_other_op) = 'void', '_dbtc_row', '_dbtc_clash')) as row) as _dbtc_image
  from changes_as_rows
),

event_rows as (
  select
    *,
    if(_row_kind = 'DELETE', null, _dbtc_image.row) as _dbtc_row
  from checked_changes
),

change_events as (
  select
    case _row_kind
      when 'DELETE' then 'DELETE'
      when 'INSERT' then 'INSERT'
      when 'UPDATE_AFTER' then 'UPDATE_AFTER'
      when 'UPDATE_BEFORE' then 'UPDATE_BEFORE'
    end as `op`,
    `id`, _dbtc_row.* except (`id`),
    _sequence,
    _ordinal
  from event_rows
)

select *
from change_events
)
