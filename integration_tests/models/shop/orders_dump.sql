-- what the source's table held when the last batch was landed

{% set row = 'order_id string, line_no string, customer_id string, product string, qty string, '
    ~ 'price string, status string, note string, ordered_at string' %}

with parsed as (

    select from_json(value, '{{ row }}', map('mode', 'FAILFAST')) as line
    from {{ source('bronze', 'shop_orders_dump') }}

)

select
    cast(line.order_id as bigint) as order_id,
    cast(line.line_no as int) as line_no,
    cast(line.customer_id as bigint) as customer_id,
    line.product,
    cast(line.qty as int) as qty,
    cast(line.price as decimal(10, 2)) as price,
    line.status,
    line.note,
    cast(line.ordered_at as timestamp) as ordered_at
from parsed
