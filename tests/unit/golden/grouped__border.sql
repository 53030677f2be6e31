with log_rows as (
  select
    `lsn` as _dbtc_at,
    (tx) as _dbtc_transaction,
    false as _dbtc_ends
  from bronze.customers
),

newest_row as (
  select max(_dbtc_at) as _dbtc_at
  from log_rows
),

transactions as (
  select
    min(_dbtc_at) as _dbtc_first,
    max(_dbtc_at) as _dbtc_last,
    max(_dbtc_at) = (select _dbtc_at from newest_row)
    and max(_dbtc_transaction) is not null
    and not bool_or(_dbtc_ends) as _dbtc_is_open
  from log_rows
  group by
    _dbtc_transaction,
    if(_dbtc_transaction is null, _dbtc_at, null)
),

beginnings as (
  select
    _dbtc_first,
    max(_dbtc_last) as _dbtc_last,
    bool_or(_dbtc_is_open) as _dbtc_is_open
  from transactions
  group by _dbtc_first
),

swept as (
  select
    max(_dbtc_last) over (order by _dbtc_first) as _dbtc_reached,
    bool_or(_dbtc_is_open) over (order by _dbtc_first) as _dbtc_is_open,
    lead(_dbtc_first) over (order by _dbtc_first) as _dbtc_next
  from beginnings
)

select max(_dbtc_reached)
from swept
where not _dbtc_is_open and (_dbtc_next is null or _dbtc_next > _dbtc_reached)
