-- what the source's table held when the last batch was landed

{% set row = 'id string, name string, email string, tier string, updated_at string' %}

with parsed as (

    select from_json(value, '{{ row }}', map('mode', 'FAILFAST')) as customer
    from {{ source('bronze', 'shop_customers_dump') }}

)

select
    cast(customer.id as bigint) as id,
    customer.name,
    customer.email,
    customer.tier,
    cast(customer.updated_at as timestamp) as updated_at
from parsed
