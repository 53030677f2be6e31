-- the table that the log describes: customers again
{{ config(
    materialized='from_changelog',
    unique_key='id',
    sequence_by=['_batch_id', '_position'],
    before='before',
    after='after',
    op_mapping={'c, r': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'},
    read={'column': '_batch_id'},
) }}

select * from {{ dbt_changelog.new_rows(ref('customers_log')) }}
