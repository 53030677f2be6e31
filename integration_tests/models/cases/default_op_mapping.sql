{{ config(materialized='from_changelog', unique_key='id', sequence_by='seq') }}

-- seq is a column like any other, so the table has it too
select op, id, name, seq
from {{ ref('data_default_op_mapping') }}
