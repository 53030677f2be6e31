{{ config(materialized='view') }}

-- the macro alone: a changelog becomes a table

{{ dbt_changelog.apply_changelog(ref('decoded_customers'), unique_key='id') }}
