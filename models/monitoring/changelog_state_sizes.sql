{{ config(enabled=var('dbt_changelog_monitoring', false), materialized='table') }}

with sizes as (

    {{ dbt_changelog.state_sizes_sql() | indent(4) }}

)

select *, current_timestamp() as measured_at
from sizes
