{#- Where each event counts: what is emitted, and how changes stand to the state (diagnose). -#}

{#- The changelog that a batch emits where each event counts: its changes, as they are. -#}
{% macro emitted_changes_cte(plan, batch) -%}
emitted as (
  select
    _row_kind,
    _sequence,
    _ordinal,
    {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n    ') }},
    cast({{ batch.id }} as bigint) as _batch_id
  from changes
)
{%- endmacro %}

{#-
  The changelog that a full refresh emits where each event counts, as CTEs: `changes` -> `emitted`:
  how the new weights differ from the old. Weights, not contents: a row that waits below zero is in
  the changelog, too.
-#}
{% macro refreshed_weights_ctes(plan, batch) -%}
{{ dbt_changelog._beside_state_ctes(plan, dbt_changelog.old_columns_sql(plan, batch)) }},

emitted as (
  select
    _row_kind,
    null as _sequence,
    0 as _ordinal,
    {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n    ') }},
    cast({{ batch.id }} as bigint) as _batch_id
  from differences
  lateral view explode(array_repeat(
    if(_weight > 0, 'INSERT', 'DELETE'), cast(abs(_weight) as int)
  )) kinds as _row_kind
)
{%- endmacro %}

{#-
  How the changes of a query stand to the state where each event counts: one row with the numbers of
  distinct rows whose weight in the state is not what the query's changes give, and of those that
  wait in the state, below zero, for their insert. filter, not count_if: see kernel_of.
-#}
{% macro count_weights_sql(plan) -%}
with {{ dbt_changelog.sound_changes_ctes(plan) }},

{{ dbt_changelog._beside_state_ctes(plan, dbt_changelog.csv(
     plan.state_columns | map(attribute='name'), separator=',\n')) }}

select
  (select count(*) filter (where _weight <> 0) from differences) as rows_that_differ,
  (select count(*) filter (where _weight < 0) from {{ plan.relations.state }}) as rows_below_zero
{%- endmacro %}

{#- How the weights of `changes` differ from those of the state, row by row: -> `differences`. -#}
{% macro _beside_state_ctes(plan, columns) -%}
new_and_old as (
  select
    {{ dbt_changelog.csv(plan.state_columns | map(attribute='name'), separator=',\n    ') }},
    {{ dbt_changelog.weight_sql() }} as _weight
  from changes
  union all
  select
    {{ columns | indent(4) }},
    -_weight as _weight
  from {{ plan.relations.state }}
),

{{ dbt_changelog.weights_cte(plan.compared, 'new_and_old', name='differences') }}
{%- endmacro %}
