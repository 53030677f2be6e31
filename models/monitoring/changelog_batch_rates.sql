{{ config(enabled=var('dbt_changelog_monitoring', false), materialized='view') }}

with batches as (

    {{ dbt_changelog.batches_sql() | indent(4) }}

),

measured as (

    select
        *,
        -- the name and version, where the uid is dbt's own: model.<project>.<name>
        {{ dbt_changelog.model_of_uid_sql('uid') }} as model,
        (unix_micros(committed_at) - unix_micros(started_at)) / 1e6 as seconds,
        if(
            coalesce(rows_inserted, rows_updated, rows_deleted) is null,
            null,
            coalesce(rows_inserted, 0) + coalesce(rows_updated, 0) + coalesce(rows_deleted, 0)
        ) as rows_changed,
        map_values(from_json(to_position, 'map<string, struct<type string, value string>>'))
            as positions
    from batches

),

placed as (

    select
        *,
        -- of several sources the one that is the furthest behind
        array_min(transform(positions, position -> case
            when position.type = 'timestamp' then timestamp_micros(cast(position.value as bigint))
            when position.type in ('date', 'timestamp_ntz') then cast(position.value as timestamp)
        end)) as read_up_to
    from measured

)

select
    schema_name,
    model,
    uid,
    batch_id,
    invocation_id,
    is_full_refresh,
    started_at,
    committed_at,
    seconds,
    rows_inserted,
    rows_updated,
    rows_deleted,
    rows_changed,
    rows_changed / nullif(seconds, 0) as rows_per_second,
    events_late,
    events_duplicate,
    events_invalid,
    read_up_to,
    (unix_micros(committed_at) - unix_micros(read_up_to)) / 1e6 as lag_seconds
from placed
