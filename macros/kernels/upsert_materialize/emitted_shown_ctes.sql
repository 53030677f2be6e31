{#-
  The changelog that a batch emits, as CTEs: `changes` -> `emitted`: of each of its keys the row
  that is shown after it against the one before.
-#}
{% macro emitted_shown_ctes(plan, batch) -%}
{{ dbt_changelog.listed_rows_ctes(plan, batch) }},

{{ dbt_changelog._emitted_ctes_of_rows(plan, batch, plan.on_conflict) }}
{%- endmacro %}

{#-
  The changelog that a full refresh emits, as CTEs: `changes` -> `emitted`: the same, against what
  the state showed that it replaces.
-#}
{% macro refreshed_shown_ctes(plan, batch) -%}
{%- set names = plan.state_columns | map(attribute='name') | list -%}
{{ dbt_changelog.listed_rows_ctes(plan, batch, 'new_rows') }},

old_rows as (
  select
    {{ dbt_changelog.old_columns_sql(plan, batch) | indent(4) }},
    _places
  from {{ plan.relations.state }}
),

listed_rows as (
  select
    {{ dbt_changelog.csv(names, separator=',\n    ') }},
    _image_hash,
    _places_before,
    _places
  from new_rows
  union all
  select
    {{ dbt_changelog.csv(names, separator=',\n    ') }},
    {{ dbt_changelog.row_hash_sql(plan, tells_nulls=true) }} as _image_hash,
    _places as _places_before,
    slice(_places, 1, 0) as _places
  from old_rows
),

{{ dbt_changelog._emitted_ctes_of_rows(plan, batch, batch.stored.log.plan.on_conflict) }}
{%- endmacro %}

{#-
  What a batch did to the contents, and how many rows the state holds beside those that it shows. It
  reads the places of all rows, since only all of a key say which one it shows.
-#}
{% macro count_shown_sql(plan, batch) -%}
{%- set rows = 'count(*) filter (where ' -%}
with rows_and_before as (
  select
    *,
    if(_batch_id = {{ batch.id }}, _places_before, _places) as _dbtc_before
  from {{ batch.state }}
),

counted_keys as (
  select
    max(_batch_id = {{ batch.id }}) as _dbtc_is_written,
    sum(size(_places)) as _dbtc_copies,
    {{ dbt_changelog.shown_sql(plan, '_image_hash', '_dbtc_before') }} as _dbtc_old,
    {{ dbt_changelog.shown_sql(plan, '_image_hash', '_places') }} as _dbtc_new
  from rows_and_before
  group by {{ dbt_changelog.csv(plan.unique_key) }}
)

select
  {{ rows }}_dbtc_old is null and _dbtc_new is not null) as rows_inserted,
  {{ rows }}_dbtc_old <> _dbtc_new) as rows_updated,
  {{ rows }}_dbtc_old is not null and _dbtc_new is null) as rows_deleted,
  coalesce(sum(greatest(_dbtc_copies - 1, 0)), 0) as rows_hidden,
  {{ rows }}_dbtc_is_written) as written
from counted_keys
{%- endmacro %}

{#- What diagnose says of the state: how many keys it shows, and what it holds beside them. -#}
{% macro count_lists_sql(plan) -%}
with counted_keys as (
  select sum(size(_places)) as _dbtc_copies
  from {{ plan.relations.state }}
  group by {{ dbt_changelog.csv(plan.unique_key) }}
)

select
  count(*) filter (where _dbtc_copies > 0) as rows_shown,
  coalesce(sum(greatest(_dbtc_copies - 1, 0)), 0) as rows_hidden
from counted_keys
{%- endmacro %}

{#- How what is shown of each key changes, as CTEs: `listed_rows` -> `emitted`. -#}
{% macro _emitted_ctes_of_rows(plan, batch, on_conflict_before) -%}
{%- set key, names = dbt_changelog.csv(plan.unique_key), plan.payload + plan.passthrough -%}
{%- set row = 'struct(' ~ dbt_changelog.csv(names) ~ ', _image_hash)' -%}
shown_rows as (
  select
    max(_sequence) as _sequence,
    {{ dbt_changelog.shown_sql(dict(plan, on_conflict=on_conflict_before), row, '_places_before') }}
      as _dbtc_old,
    {{ dbt_changelog.shown_sql(plan, row, '_places') }} as _dbtc_new
  from listed_rows
  group by {{ key }}
),

{{ dbt_changelog.differences_ctes(plan, batch, 'shown_rows',
                                 '_dbtc_old._image_hash <=> _dbtc_new._image_hash') }}
{%- endmacro %}
