{#-
  The kernel of models without a key: a row is there as often as it was added and not taken away,
  and each event counts. Its traits, and its verbs (kernel_of).
-#}
{% macro multiset() -%}
{%- set more = 'coalesce(sum(greatest(greatest(%s, 0) - greatest(%s, 0), 0)), 0)' -%}
{{ return({
  'counts_events': true,
  'stages_batches': true,
  'is_live': '_weight > 0',
  'is_tombstone': '_weight = 0',
  'columns': ['_weight', '_weight_before', '_image_hash', '_batch_id', '_changed_at'],
  'row_counts': {
    'rows_inserted': more | format('_weight', '_weight_before'),
    'rows_updated': '0',
    'rows_deleted': more | format('_weight_before', '_weight'),
  },
  'changes': dbt_changelog.batch_changes_ctes,
  'changes_name': 'changes',
  'rows': dbt_changelog.weighed_rows_ctes,
  'merge': dbt_changelog.merge_weights_sql,
  'purge': dbt_changelog.purge_tombstones_sql,
  'emitted': dbt_changelog.emitted_changes_cte,
  'refreshed': dbt_changelog.refreshed_weights_ctes,
  'contents': dbt_changelog.counted_contents_sql,
  'standing': dbt_changelog.count_weights_sql,
}) }}
{%- endmacro %}

{#-
  The changes of a batch as the state keeps them, as CTEs: `changes` -> `state_rows`: one per
  distinct row, with how much more often it is there than before (_weight). A row that comes as
  often as it goes is left out.
-#}
{% macro weighed_rows_ctes(plan, batch) -%}
{{ dbt_changelog.weights_cte(plan.compared, 'changes', dbt_changelog.weight_sql()) }},

state_rows as (
  select
    {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n    ') }},
    _weight,
    cast(0 as bigint) as _weight_before,
    {{ dbt_changelog.row_hash_sql(plan) }} as _image_hash,
    cast({{ batch.id }} as bigint) as _batch_id,
    {{ plan.now }} as _changed_at
  from weights
  where _weight <> 0
)
{%- endmacro %}

{#-
  Rows with weights -> one per distinct row, with the sum, as a CTE. columns: [{name, type, parts}],
  all that a row is.
-#}
{% macro weights_cte(columns, input, weight='_weight', name='weights') -%}
{%- set equal = dbt_changelog.equal_rows(columns) -%}
{{ name }} as (
  select
    {{ equal.selected | join(',\n    ') }},
    sum({{ weight }}) as _weight
  from {{ input }}
  group by
    {{ equal.groups | join(',\n    ') }}
)
{%- endmacro %}

{#- Rows with a _weight, each as often as it is there: the tail of a query. -#}
{% macro copies_sql() -%}
lateral view explode(array_repeat(0, cast(_weight as int))) copies as _dbtc_copy
where _weight > 0
{%- endmacro %}

{#- The contents: every row as often as its weight, with just the user's columns. -#}
{% macro counted_contents_sql(plan, state) -%}
select
  {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') }}
from {{ state }}
{{ dbt_changelog.copies_sql() }}
{%- endmacro %}
