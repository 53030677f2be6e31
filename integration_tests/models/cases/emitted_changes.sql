-- the edge in the lineage, which a source has not: depends_on: {{ ref('emitted_changelog') }}
{{ config(materialized='view') }}

select * from {{ source('analytics', 'emitted_changelog__changelog') }}
