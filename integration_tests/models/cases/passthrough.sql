{{ config(
    materialized='from_changelog',
    unique_key='id',
    sequence_by='_seq',
    before='image',
    after='image',
    op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'},
    passthrough='kafka_offset',
) }}

select op, struct(id, name) as image, kafka_offset, _seq
from {{ ref('data_passthrough') }}
