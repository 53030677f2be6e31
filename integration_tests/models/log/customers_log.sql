-- what changed in customers, in Debezium's shape, for whoever reads such events
{{ config(
    materialized='to_changelog',
    unique_key='id',
    before='before',
    after='after',
    op_mapping={'INSERT': 'c', 'UPDATE_BEFORE, UPDATE_AFTER': 'u', 'DELETE': 'd'},
) }}

select * from {{ ref('customers') }}
