{#-
  The changelog that a batch emits, as CTEs: `hashed_changes` -> `emitted`: what is fresh in it, as
  the events said or compared with the row before; with a watermark, the net change of each key.
-#}
{% macro emitted_ctes(plan, batch) -%}
{%- set rank = dbt_changelog.rank_sql(plan) -%}
{%- set has_state = batch.has_state and not batch.creates -%}
{%- set input = 'fresh_changes' if has_state else 'winners' -%}
{%- set compares = plan.state_backed or plan.watermark -%}
{{ dbt_changelog.winners_ctes(plan, 'hashed_changes', not compares, rank) }},
{% if has_state %}
{{ dbt_changelog._fresh_changes_ctes(plan, rank) }},
{% endif %}
{%- if plan.watermark %}
{{ dbt_changelog._net_changes_ctes(plan, input, has_state) }},

{{ dbt_changelog.differences_ctes(plan, batch, 'net_changes',
                                 dbt_changelog.same_values_sql(plan)) }}
{%- else %}
{{ dbt_changelog._kinds_ctes(plan, batch, input, has_state) }}
{%- endif -%}
{%- endmacro %}

{#- Fresh changes -> `emitted`, one by one. -#}
{% macro _kinds_ctes(plan, batch, input, has_state) -%}
{%- if plan.state_backed -%}
{{ dbt_changelog.compared_changes_ctes(plan, input, has_state) }},

{% endif -%}
emitted as (
  select
    _row_kind,
    _sequence,
    {{ dbt_changelog.ordinal_sql() }} as _ordinal,
    {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n    ') }},
    cast({{ batch.id }} as bigint) as _batch_id
  from {{ 'compared_changes' if plan.state_backed else input }}
{{- '\n  where not _dbtc_is_stored' if has_state and not plan.state_backed }}
)
{%- endmacro %}

{#- Of the fresh changes of a key the last one, beside the row before the batch, as CTEs. -#}
{% macro _net_changes_ctes(plan, input, has_state) -%}
{%- set row = 'struct(' ~ dbt_changelog.csv(plan.payload + plan.passthrough) ~ ')' -%}
{%- set live = dbt_changelog.is_live_sql() -%}
keyed_changes as (
  select
    {{ dbt_changelog.csv(plan.unique_key) }},
    _sequence,
    {{ '_dbtc_is_stored' if has_state else 'false as _dbtc_is_stored' }},
    if({{ live }}, {{ row }}, null) as _dbtc_row
  from {{ input }}
),

last_changes as (
  select
    {{ dbt_changelog.csv(plan.unique_key) }},
    max(_sequence) filter (where not _dbtc_is_stored) as _sequence,
    any_value(_dbtc_row) filter (where _dbtc_is_stored) as _dbtc_old,
    max_by(_dbtc_row, _sequence) filter (where not _dbtc_is_stored) as _dbtc_new
  from keyed_changes
  group by {{ dbt_changelog.csv(plan.unique_key) }}
),

net_changes as (
  select _sequence, _dbtc_old, _dbtc_new
  from last_changes
  where _sequence is not null
)
{%- endmacro %}

{#-
  The winners that the state has not seen, and per key the row that it has (_dbtc_is_stored): what
  the first of them is compared with.
-#}
{% macro _fresh_changes_ctes(plan, rank) -%}
{%- set names = dbt_changelog.csv(plan.payload + plan.passthrough) -%}
{%- set own = ['_row_kind', '_sequence', '_ordinal', '_image_hash'] -%}
{%- set ranks, seen = [], [] -%}
{%- for item in rank -%}
{%- do ranks.append(item ~ ' as _dbtc_rank_' ~ loop.index) -%}
{%- do seen.append('_dbtc_rank_' ~ loop.index) -%}
{%- endfor -%}
{%- set of_change = ranks + (['cast(null as bigint) as _dbtc_read_hash', 'cast(null as bigint) as'
    ~ ' _batch_id'] if plan.since else []) -%}
{%- set of_state = ranks + ([dbt_changelog.stored_hash_sql(plan, '', as_read=true) | indent(4)
    ~ ' as _dbtc_read_hash', '_batch_id'] if plan.since else []) -%}
{%- set place = ['_sequence'] + seen + ['_row_kind']
    + (['_dbtc_read_hash as _image_hash', '_batch_id'] if plan.since else ['_image_hash']) -%}
{%- set sides = {'change': '', 'stored': '_dbtc_stored.', 'hash': '_dbtc_stored._image_hash',
    'ranks': ['struct(' ~ seen | join(', ') ~ ')',
              'struct(_dbtc_stored.' ~ seen | join(', _dbtc_stored.') ~ ')'] if seen else []} -%}
{{ dbt_changelog.state_ctes(plan) -}}
stored_rows as (
  select
    {{ names }},
    {{ dbt_changelog._stored_kind_sql(plan) }},
    _sequence,
    0 as _ordinal,
    {{ dbt_changelog.stored_hash_sql(plan) | indent(4) ~ ' as _image_hash,\n    _batch_id'
       if plan.since else '_image_hash' }}
  from {{ dbt_changelog.state_name(plan) }} as state
  left semi join hashed_changes as change
    on {{ dbt_changelog.same_key_sql(plan) }}
),

changes_and_state as (
  select
    {{ (['false as _dbtc_is_stored', names] + own + of_change)
       | join(',\n    ') }}
  from winners
  union all
  select
    {{ (['true', names] + own + of_state)
       | join(',\n    ') }}
  from stored_rows
),

placed_changes as (
  select
    *,
    max(if(
      _dbtc_is_stored,
      struct({{ place | join(', ') }}),
      null
    )) over (
      partition by {{ dbt_changelog.csv(plan.unique_key) }}
    ) as _dbtc_stored
  from changes_and_state
),

fresh_changes as (
  select * except (_dbtc_stored{{ ', ' ~ seen | join(', ') if seen }})
  from placed_changes
  where _dbtc_is_stored
    or _dbtc_stored is null
    or {{ dbt_changelog.place_sql(plan, sides, only_news=true) | indent(4) }}
)
{%- endmacro %}

{#-
  The kind of a stored row. One whose state_ttl is over counts as deleted; its sequence still
  decides what is late.
-#}
{% macro _stored_kind_sql(plan) -%}
{{ return('_row_kind' if plan.state_ttl in [none, '0'] else "if(_changed_at + interval '"
          ~ plan.state_ttl ~ "' <= " ~ plan.now ~ ", 'DELETE', _row_kind) as _row_kind") }}
{%- endmacro %}

{#-
  Upserts and deletes -> the changelog of real changes, as CTEs: -> `compared_changes`. Per key and
  in order of sequence, each change against the row before it: an unseen key is an INSERT, an equal
  row is nothing, a deleted row is retracted with the image that it had. A stored row (has_state) is
  no change of its own, but what the first change of its key retracts. With a state_ttl above zero
  equal rows are changes too: they refresh what is remembered.

  A row gives up to two: its own kind, and its image as what the next change of its key retracts.
-#}
{% macro compared_changes_ctes(plan, input, has_state=false) -%}
{%- set by_key = '(\n      partition by ' ~ dbt_changelog.csv(plan.unique_key)
    ~ '\n      order by _sequence' ~ (', not _dbtc_is_stored' if has_state else '') ~ '\n    )' -%}
{%- set repeats = plan.state_ttl not in [none, '0'] -%}
{%- set retracts = 'UPDATE_BEFORE' in dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{%- set kind = 'if(_dbtc_part = 0, _dbtc_own_kind, _dbtc_next_kind)' -%}
live_changes as (
  select
    *,
    {{ dbt_changelog.is_live_sql() }} as _dbtc_is_live
  from {{ input }}
),

neighbours as (
  select
    *,
    case
      when {{ '_dbtc_is_stored or ' if has_state }}not _dbtc_is_live then null
      when not coalesce(lag(_dbtc_is_live) over {{ by_key | indent(2) }}, false) then 'INSERT'
      {{ "else 'UPDATE_AFTER'" if repeats
         else "when lag(_image_hash) over " ~ by_key | indent(2)
              ~ " <> _image_hash then 'UPDATE_AFTER'" }}
    end as _dbtc_own_kind,
    case
      when not _dbtc_is_live then null
      when not lead(_dbtc_is_live) over {{ by_key | indent(2) }} then 'DELETE'
{%- if retracts %}
      when {{ 'lead(_dbtc_is_live) over ' ~ by_key | indent(2) if repeats
              else 'lead(_image_hash) over ' ~ by_key | indent(2) ~ ' <> _image_hash' }}
        {{- " then 'UPDATE_BEFORE'" }}
{%- endif %}
    end as _dbtc_next_kind,
    lead(_sequence) over {{ by_key }} as _dbtc_next_sequence
  from live_changes
),

compared_changes as (
  select
    * except (_row_kind, _sequence, _ordinal, _image_hash, _dbtc_is_live, _dbtc_own_kind,
              _dbtc_next_kind, _dbtc_next_sequence, _dbtc_part),
    {{ kind }} as _row_kind,
    if(_dbtc_part = 0, _sequence, _dbtc_next_sequence) as _sequence
  from neighbours
  lateral view explode(array(0, 1)) parts as _dbtc_part
  where {{ kind }} is not null
)
{%- endmacro %}
