with source_events as (

select * from bronze.customers

),

events as (
  select
    * except (`hvr_op`, `hvr_integ_seq`),
    cast(hvr_integ_seq as string) as _order_1,
    cast(hvr_op as string) as _op
  from source_events
)

select *
from events
