{#-
  What a batch makes of the lists of its keys, as CTEs: `changes` -> `listed_rows`: the distinct
  rows of these keys, with the places of their copies before and after the batch. For the batch that
  makes the state there is none before.

  Within a batch changes arrive in order of their sequence, and of equal ones retractions come
  first. One that finds no copy of its row takes nothing away.
-#}
{% macro listed_rows_ctes(plan, batch, name='listed_rows') -%}
{%- set names = plan.payload + plan.passthrough -%}
{{ dbt_changelog._row_steps_ctes(plan, batch) }},
{% if not batch.creates %}
{{ dbt_changelog._joined_rows_ctes(plan) }},
{% endif %}
{{ 'placed_rows' if plan.on_conflict == 'ERROR' else name }} as (
  select
    {{ dbt_changelog.csv(names, separator=',\n    ') }},
    _sequence,
    _image_hash,
    _dbtc_steps,
{%- if batch.creates %}
    slice(_dbtc_steps, 1, 0) as _places_before,
    {{ dbt_changelog._applied_sql('slice(_dbtc_steps, 1, 0)') | indent(4) }} as _places
  from row_steps
{%- else %}
    coalesce(_dbtc_stored, slice(_dbtc_steps, 1, 0)) as _places_before,
    if(
      _dbtc_steps is null,
      _dbtc_stored,
      {{ dbt_changelog._applied_sql('coalesce(_dbtc_stored, slice(_dbtc_steps, 1, 0))')
         | indent(6) }}
    ) as _places
  from joined_rows
{%- endif %}
)
{%- if plan.on_conflict == 'ERROR' %},

{{ dbt_changelog._single_rows_ctes(plan, name) }}
{%- endif -%}
{%- endmacro %}

{#- The rows of a batch as the state keeps them, as CTEs: -> `state_rows`. -#}
{% macro written_rows_ctes(plan, batch) -%}
{{ dbt_changelog.listed_rows_ctes(plan, batch) }},

state_rows as (
  select
    {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n    ') }},
    _sequence,
    _places,
    _places_before,
    _image_hash,
    cast({{ batch.id }} as bigint) as _batch_id,
    {{ plan.now }} as _changed_at
  from listed_rows
  where _dbtc_steps is not null
    and (size(_places) > 0 or size(_places_before) > 0)
)
{%- endmacro %}

{#-
  The retractions of a batch that take nothing away, because the state has no copy of their row.
-#}
{% macro count_ignored_sql(plan, batch) -%}
with {{ dbt_changelog.batch_changes_ctes(plan, batch) }},

{{ dbt_changelog.listed_rows_ctes(plan, batch) }},

counted_steps as (
  select
    size(_dbtc_steps) as steps,
    size(filter(_dbtc_steps, step -> step._kind > 2)) as adds,
    size(_places) - size(_places_before) as gained
  from listed_rows
  where _dbtc_steps is not null
)

select coalesce(sum(steps - adds - (adds - gained)), 0) as events_ignored
from counted_steps
{%- endmacro %}

{#-
  The changes of each distinct row in their order, as CTEs: `changes` -> `row_steps`. They are sent
  to where their key is once, for the look for ties and for the lists.
-#}
{% macro _row_steps_ctes(plan, batch) -%}
{%- set key, names = dbt_changelog.csv(plan.unique_key), plan.unique_key -%}
{%- set fails = plan.tie_handling != 'LAST' -%}
{%- set keys = plan.state_columns | selectattr('name', 'in', plan.unique_key) | list -%}
{%- set equal = dbt_changelog.equal_rows(keys + plan.compared) -%}
{%- set known = (keys + plan.compared) | map(attribute='name') | list -%}
{%- set others = [] -%}
{%- for name in (plan.payload + plan.passthrough) | reject('in', known) -%}
{%- do others.append('any_value(' ~ dbt_changelog.quote(name) ~ ') as '
    ~ dbt_changelog.quote(name)) -%}
{%- endfor -%}
hashed_changes as (
  select /*+ repartition({{ key }}) */
    *,
    {{ dbt_changelog.row_hash_sql(plan, tells_nulls=true) }} as _dbtc_hash
  from changes
),

{% if fails -%}
rival_changes as (
  select
    *,
    min(_dbtc_hash) over (partition by {{ key }}, _sequence, _row_kind) as _dbtc_rival
  from hashed_changes
),

{% endif -%}
row_steps as (
  select
    {{ (equal.selected + others) | join(',\n    ') }},
    max(_sequence) as _sequence,
    any_value(_dbtc_hash) as _image_hash,
    sort_array(collect_list(struct(
      cast({{ batch.id }} as bigint) as _batch_id,
      _sequence,
      {{ dbt_changelog.kind_rank_sql() }} as _kind
    ))) as _dbtc_steps
  from {{ 'rival_changes' if fails else 'hashed_changes' }}
{%- if fails %}
  where if(
    _dbtc_hash <> _dbtc_rival and {{ dbt_changelog.is_live_sql() }},
    {{ dbt_changelog.tie_error_sql(plan, '', '_sequence') }},
    true
  )
{%- endif %}
  group by
    {{ equal.groups | join(',\n    ') }}
)
{%- endmacro %}

{#- Beside what the state has of the keys of the batch, as CTEs: `row_steps` -> `joined_rows`. -#}
{% macro _joined_rows_ctes(plan) -%}
{%- set columns = [] -%}
{%- for name in plan.payload + plan.passthrough -%}
{%- set name = dbt_changelog.quote(name) -%}
{%- do columns.append(
    'if(state._batch_id is null, change.' ~ name ~ ', state.' ~ name ~ ') as ' ~ name) -%}
{%- endfor -%}
stored_rows as (
  select *
  from {{ plan.relations.state }} as state
  left semi join row_steps as change
    on {{ dbt_changelog.same_key_sql(plan) }}
),

joined_rows as (
  select
    {{ columns | join(',\n    ') }},
    greatest(state._sequence, change._sequence) as _sequence,
    coalesce(state._image_hash, change._image_hash) as _image_hash,
    state._places as _dbtc_stored,
    change._dbtc_steps
  from stored_rows as state
  full outer join row_steps as change
    on {{ dbt_changelog.same_key_sql(plan) }}
    and {{ dbt_changelog.same_row_sql(plan) | indent(4) }}
)
{%- endmacro %}

{#-
  The places of a row's copies after its changes: an add is the last one, a retraction takes the
  first. _kind is a rank (kind_rank_sql), in which the adds are above 2.
-#}
{% macro _applied_sql(places) -%}
aggregate(
  _dbtc_steps,
  {{ places }},
  (places, step) -> if(
    step._kind > 2,
    concat(places, array(step)),
    slice(places, 2, size(places))
  )
)
{%- endmacro %}

{#- No key may have two different rows after a batch, as CTEs: `placed_rows` -> name. -#}
{% macro _single_rows_ctes(plan, name) -%}
{%- set key = dbt_changelog.csv(plan.unique_key) -%}
counted_rows as (
  select
    *,
    sum(if(size(_places) > 0, 1, 0)) over (partition by {{ key }}) as _dbtc_rows
  from placed_rows
),

{{ name }} as (
  select * except (_dbtc_rows)
  from counted_rows
  where if(
    _dbtc_rows > 1,
    {{ dbt_changelog.raise_error_sql("Invalid 'unique_key' in " ~ plan.where
      ~ ': several rows have the key ', 'to_json(struct(' ~ key ~ '))', '.\nTo fix: name columns'
      ~ " that only one row has at a time, or set on_conflict='DEDUPLICATE', which shows the last"
      ~ " of them, or 'NOTHING', which shows the first.") | indent(4) }},
    true
  )
)
{%- endmacro %}
