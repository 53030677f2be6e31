{{ config(enabled=var('dbt_changelog_monitoring', false), materialized='view') }}

select
    schema_name,
    max_by(model, batch_id) as model,
    uid,
    count(*) as batches,
    max(batch_id) as last_batch_id,
    max(committed_at) as last_committed_at,
    max_by(read_up_to, batch_id) as read_up_to,
    (unix_micros(current_timestamp()) - unix_micros(max_by(read_up_to, batch_id))) / 1e6
        as lag_seconds,
    -- NULL where no batch has counted them, which is not 0
    sum(events_late) as events_late,
    sum(events_duplicate) as events_duplicate,
    sum(events_invalid) as events_invalid,
    max(if(events_late > 0 or events_invalid > 0, committed_at, null)) as last_wrong_at
from {{ ref('changelog_batch_rates') }}
group by schema_name, uid
