{#-
  The kernel of models with a key: the change with the greatest sequence wins its key, and a delete
  leaves a tombstone with its sequence. Its traits, and its verbs (kernel_of).
-#}
{% macro last_write_wins() -%}
{%- set live = dbt_changelog.is_live_sql() -%}
{%- set rows = 'count(*) filter (where ' -%}
{{ return({
  'is_live': live,
  'is_tombstone': 'not ' ~ live,
  'is_erased': '_image_hash is null',
  'columns': ['_sequence', '_row_kind', '_image_hash', '_batch_id', '_was_live', '_changed_at'],
  'row_counts': {
    'rows_inserted': rows ~ live ~ ' and not _was_live)',
    'rows_updated': rows ~ live ~ ' and _was_live)',
    'rows_deleted': rows ~ 'not ' ~ live ~ ' and _was_live)',
  },
  'changes': dbt_changelog.hashed_changes_ctes,
  'changes_name': 'hashed_changes',
  'rows': dbt_changelog.last_rows_ctes,
  'merge': dbt_changelog.merge_rows_sql,
  'merged': dbt_changelog.merged_rows_ctes,
  'outcome': dbt_changelog.outcome_of_rows_cte,
  'newer': dbt_changelog.count_newer_sql,
  'late': dbt_changelog.count_late_sql,
  'purge': dbt_changelog.purge_tombstones_sql,
  'erased': dbt_changelog.erased_columns,
  'emitted': dbt_changelog.emitted_ctes,
  'refreshed': dbt_changelog.refreshed_ctes,
  'contents': dbt_changelog.contents_sql,
  'standing': dbt_changelog.count_places_sql,
  'ties': dbt_changelog.stored_ties_sql,
}) }}
{%- endmacro %}

{#- The changes of a batch with the hash of what each leaves, as CTEs: `hashed_changes`. -#}
{% macro hashed_changes_ctes(plan, batch) -%}
{%- if batch.is_staged -%}
hashed_changes as (
  select * from {{ plan.relations.staged }}
)
{%- else -%}
{{ dbt_changelog.batch_changes_ctes(plan, batch, upserts_only=not plan.changelog
                                                               or plan.state_backed) }},

{{ dbt_changelog.image_hashes_cte(plan) }}
{%- endif -%}
{%- endmacro %}

{#- Changes with the hash of what each leaves, as a CTE: `changes` -> `hashed_changes`. -#}
{% macro image_hashes_cte(plan) -%}
hashed_changes as (
  select
    *,
    {{ dbt_changelog.image_hash_sql(plan) | indent(4) }} as _image_hash
  from changes
)
{%- endmacro %}

{#-
  Of the hashed changes of a batch the last one of each key, as CTEs: -> `state_rows`, as the state
  keeps them. A deleted key keeps only its key. name: what they are called.
-#}
{% macro last_rows_ctes(plan, batch, name='state_rows') -%}
{%- set live = dbt_changelog.is_live_sql('_dbtc_last.') -%}
{{ dbt_changelog.last_changes_cte(plan) }},

{{ name }} as (
  select
{%- for field in plan.payload + plan.passthrough %}
{%- set column = dbt_changelog.quote(field) %}
    {{ column if field in plan.unique_key
       else 'if(' ~ live ~ ', _dbtc_last.' ~ column ~ ', null) as ' ~ column }},
{%- endfor %}
    _dbtc_last._sequence,
    _dbtc_last._row_kind,
    _dbtc_last._image_hash,
    cast({{ batch.id }} as bigint) as _batch_id,
    false as _was_live,
    {{ plan.now }} as _changed_at
  from last_changes
{{- dbt_changelog.tie_condition_sql(plan) }}
)
{%- endmacro %}

{#-
  The one of `hashed_changes` that wins each key (`_dbtc_last`), and what it takes to see a tie
  (`_dbtc_rival`), as a CTE: -> `last_changes`.

  One aggregation of whole rows: a tie can't mix the columns of two, and of equal sequences the
  greatest and the least hash differ if and only if two changes disagree. A max of ~hash, which
  falls as the hash grows, finds the least one at the greatest sequence.
-#}
{% macro last_changes_cte(plan, sequence='_sequence') -%}
{%- set key, ranks = dbt_changelog.csv(plan.unique_key), dbt_changelog.rank_sql(plan) -%}
last_changes as (
  select
    {{ key }},
    {{ dbt_changelog._greatest_sql(plan, sequence, ranks) | indent(4) }} as _dbtc_last
{%- if plan.tie_handling != 'LAST' %},
    max(struct({{ ([sequence] + ranks) | join(', ') }}, ~_image_hash as _hash)) as _dbtc_rival
{%- endif %}
  from hashed_changes
  group by {{ key }}
)
{%- endmacro %}

{#-
  The condition that each key has one winner, if it must: two different changes at its greatest
  sequence are an error.
-#}
{% macro tie_condition_sql(plan) -%}
{{ return('' if plan.tie_handling == 'LAST' else
          '\n  where if(_dbtc_last._image_hash <> ~_dbtc_rival._hash, '
          ~ dbt_changelog.tie_error_sql(plan, '_dbtc_last.', '_dbtc_last._sequence') ~ ', true)') }}
{%- endmacro %}

{#-
  The greatest change of a group, as a struct of its columns. Where they have an order, a plain max,
  which keeps the order once, not twice. The columns behind the hash never decide.
-#}
{% macro _greatest_sql(plan, sequence, ranks) -%}
{%- if not plan.orderable -%}
{{ return('max_by(struct(*), struct(' ~ ([sequence] + ranks + ['_image_hash']) | join(', ')
          ~ '))') }}
{%- endif -%}
{%- set columns = [sequence] -%}
{%- for rank in ranks -%}
{%- do columns.append(rank ~ ' as _dbtc_rank_' ~ loop.index) -%}
{%- endfor -%}
{{ return('max(struct(\n  ' ~ (columns + ['_image_hash', '_row_kind']) | join(',\n  ') ~ ',\n  '
          ~ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') ~ '\n))') }}
{%- endmacro %}

{#- The contents: what lives in the state, with just the user's columns. -#}
{% macro contents_sql(plan, state) -%}
select
  {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') }}
from {{ state }}
where {{ dbt_changelog.is_live_sql() }}
{%- endmacro %}
