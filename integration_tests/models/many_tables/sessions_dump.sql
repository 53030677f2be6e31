-- what the source's table held when the last batch was landed
with parsed as (

    select from_json(value, 'id string, token string', map('mode', 'FAILFAST')) as session
    from {{ source('bronze', 'shop_sessions_dump') }}

)

select
    cast(session.id as int) as id,
    session.token
from parsed
