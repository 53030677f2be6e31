{#- What is counted of changes beside the state, and shown of them, without a write. -#}

{#-
  How the changes of a query in which nothing is wrong stand to the state: one row with how many
  have each place.
-#}
{% macro count_places_sql(plan) -%}
with {{ dbt_changelog.sound_changes_ctes(plan) }},

{{ dbt_changelog._places_cte(plan) }}

{{ dbt_changelog.count_standing_sql(['late', 'tie']) }}
{%- endmacro %}

{#- How many of `places` are which, of those that can be: the tail of a query. -#}
{% macro count_standing_sql(places=['late']) -%}
select
  count_if(place = 'new') as new_changes,
  count_if(place = 'duplicate') as duplicates
{%- for place in places %},
  count_if(place = '{{ place }}') as {{ {'tie': 'ties'}.get(place, place) }}
{%- endfor %}
from places
{%- endmacro %}

{#-
  The late and the repeated changes among those that a batch brought: NULL where nothing tells which
  these are, and where the state has the batch already, from a run that was killed. A tie is an
  error here if no merge looks for it.
-#}
{% macro count_late_sql(plan, batch) -%}
{%- set raises = dbt_changelog.kernel_of(plan.kernel).appends and plan.tie_handling == 'FAIL' -%}
with {{ dbt_changelog.hashed_changes_ctes(plan, batch) }},

{{ dbt_changelog._places_cte(plan, ['change._dbtc_arrived', 'state._batch_id'],
    dbt_changelog.tie_error_sql(plan, 'change.', 'change._sequence') if raises else "'tie'") }}

{{ dbt_changelog.count_arrived_sql(batch) }}
{%- endmacro %}

{#- The late and the repeated ones of `places`: the tail of a query. -#}
{% macro count_arrived_sql(batch) -%}
{%- set known = ' filter (where _dbtc_arrived is not null)' -%}
{%- set fresh = 'coalesce(max(_batch_id) >= ' ~ batch.id ~ ', false)' -%}
select
{%- for name, place in [['events_late', 'late'], ['events_duplicate', 'duplicate']] %}
  if(
    {{ fresh }},
    null,
    sum(if(_dbtc_arrived and place = '{{ place }}', 1, 0)){{ known }}
  ) as {{ name }}{{ ',' if not loop.last }}
{%- endfor %}
from places
{%- endmacro %}

{#- How many rows a batch would write into the state, from its query, unstaged. -#}
{% macro count_newer_sql(plan, batch) -%}
with {{ dbt_changelog.hashed_changes_ctes(plan, batch) }},

{{ dbt_changelog.state_ctes(plan) -}}
{{ dbt_changelog.last_rows_ctes(plan, batch) }},

{{ dbt_changelog.outcome_of_rows_cte(plan) }}

select count(*) as newer_rows
from outcome
where _dbtc_is_written
{%- endmacro %}

{#-
  The ties of a query's changes with what the state has, as tied_changes_cte gives them: up to five.
-#}
{% macro stored_ties_sql(plan) -%}
{%- set names = dbt_changelog.csv(plan.payload + plan.passthrough) -%}
with {{ dbt_changelog.sound_changes_ctes(plan) }},

changes_and_state as (
  select {{ names }}, _row_kind, _sequence, _image_hash, false as _dbtc_is_stored
  from hashed_changes
  union all
  select {{ names }}, _row_kind, _sequence,
    {{ dbt_changelog.stored_hash_sql(plan, as_read=true) | indent(4) }}, true
  from {{ plan.relations.state }}
),

{{ dbt_changelog.tied_changes_cte(plan, 'changes_and_state', 'max(_dbtc_is_stored)') }}

select example
from tied_changes
order by example
limit 5
{%- endmacro %}

{#- Changes beside the state, each with its place, as a CTE: `hashed_changes` -> `places`. -#}
{% macro _places_cte(plan, columns=[], tie="'tie'") -%}
{%- set word = dbt_changelog.place_word_sql(plan, dbt_changelog.joined_sides(plan), tie) -%}
{{ dbt_changelog.state_ctes(plan) -}}
places as (
  select
{%- for column in columns %}
    {{ column }},
{%- endfor %}
    {{ word | indent(4) }} as place
  from hashed_changes as change
  left join {{ dbt_changelog.state_name(plan) }} as state
    on {{ dbt_changelog.same_key_sql(plan) }}
)
{%- endmacro %}
