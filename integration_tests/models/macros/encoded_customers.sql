{{ config(materialized='view') }}

-- the macro alone: a changelog becomes change events in Debezium's shape

{{ dbt_changelog.to_changelog(
    ref('decoded_customers'),
    op_mapping={'INSERT': 'c', 'UPDATE_BEFORE, UPDATE_AFTER': 'u', 'DELETE': 'd'},
    before='before',
    after='after',
    unique_key='id',
) }}
