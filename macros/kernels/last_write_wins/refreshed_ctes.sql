{#-
  The changelog that a full refresh emits, as CTEs: `hashed_changes` -> `emitted`: how the new
  contents differ from the old.
-#}
{% macro refreshed_ctes(plan, batch) -%}
{%- set key, live = dbt_changelog.csv(plan.unique_key), dbt_changelog.is_live_sql() -%}
{{ dbt_changelog.last_rows_ctes(plan, batch) }},

new_rows as (
  select {{ key }}, struct(*) as _dbtc_new
  from state_rows
  where {{ live }}
),

live_rows as (
  select
    {{ dbt_changelog.old_columns_sql(plan, batch) | indent(4) }},
    _row_kind
  from {{ plan.relations.state }}
  where {{ live }}
),

hashed_rows as (
  select
    *,
    {{ dbt_changelog.image_hash_sql(plan) | indent(4) }} as _image_hash
  from live_rows
),

old_rows as (
  select {{ key }}, struct(*) as _dbtc_old
  from hashed_rows
),

new_and_old as (
  select
    coalesce(_dbtc_new._sequence, _dbtc_old._sequence) as _sequence,
    _dbtc_old,
    _dbtc_new
  from old_rows
  full outer join new_rows using ({{ key }})
),

{{ dbt_changelog.differences_ctes(plan, batch, 'new_and_old', dbt_changelog.same_hashes_sql()) }}
{%- endmacro %}

{#- The columns of a state that a full refresh replaces, as the columns of the plan. -#}
{% macro old_columns_sql(plan, batch) -%}
{%- set columns = [] -%}
{%- for column in plan.state_columns -%}
{%- set found = dbt_changelog.find_name(column.name, batch.stored_columns) -%}
{%- do columns.append('cast(' ~ (dbt_changelog.quote(found) if found else 'null') ~ ' as '
    ~ column.type ~ ') as ' ~ dbt_changelog.quote(column.name)) -%}
{%- endfor -%}
{{ return(columns | join(',\n')) }}
{%- endmacro %}
