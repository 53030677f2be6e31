{{ config(
    materialized='from_changelog',
    op_mapping={'+': 'INSERT', '-': 'DELETE'},
) }}

select op, city, people from {{ ref('data_no_unique_key') }}
