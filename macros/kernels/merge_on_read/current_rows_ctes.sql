{#- A state to which batches were appended, read as if each had been merged. -#}

{#-
  Of each key the greatest row, with all columns of the state, as CTEs: -> `current_rows`.

  Up to the batch that was compacted last (plan.compacted) a key has one row. What was appended
  since is little, and in few files, so it is sent to where the rows of the state are, and not the
  other way round. Rows of the state that are greater than one that was appended are looked for
  only if it came late: below the greatest sequence of then. Between these two kinds of rows the
  hash is the last that decides: of two that say the same the one that was there first stays.
-#}
{% macro current_rows_ctes(plan, state) -%}
appended_rows as (
  select *
  from {{ state }}
  where _batch_id > {{ plan.compacted }}
),

kept_rows as (
  select kept.*
  from {{ state }} as kept
  left semi join appended_rows as appended
    on {{ dbt_changelog.same_key_sql(plan, 'appended.', 'kept.') }}
    and appended._sequence <= (
      select max(_sequence) from {{ state }} where _batch_id <= {{ plan.compacted }}
    )
  where kept._batch_id <= {{ plan.compacted }}
),

current_rows as (
  select stored.*
  from {{ state }} as stored
  left anti join appended_rows as newer
    on {{ dbt_changelog._is_older_sql(plan, dbt_changelog.said_by_row, 'newer.') | indent(4) }}
  where stored._batch_id <= {{ plan.compacted }}
  union all
  select stored.*
  from appended_rows as stored
  left anti join appended_rows as newer
    on {{ dbt_changelog._is_older_sql(plan, dbt_changelog.age_of_row, 'newer.') | indent(4) }}
  left anti join kept_rows as kept
    on {{ dbt_changelog._is_older_sql(plan, dbt_changelog.said_by_row, 'kept.', '>=') | indent(4) }}
)
{%- endmacro %}

{#-
  Whether a row is of the key of the one that is stored, and greater, by what orders them:
  said_by_row or age_of_row.
-#}
{% macro _is_older_sql(plan, order, side, greater='>') -%}
{%- set sides = [] -%}
{%- for prefix in [side, 'stored.'] -%}
{%- do sides.append('struct(\n  ' ~ order(plan, prefix) | join(',\n  ', attribute='sql')
    ~ '\n)') -%}
{%- endfor -%}
{{ return(dbt_changelog.same_key_sql(plan, side, 'stored.') ~ '\nand '
          ~ sides | join(' ' ~ greater ~ ' ')) }}
{%- endmacro %}

{#-
  What orders the rows of a key, [{name, sql}], most significant first: as place_sql does, the hash
  last. Two rows that differ only in the hash are a tie.

  An erased row comes after all others of its sequence; of a row that was read again after a change
  of columns the newer reading counts.
-#}
{% macro said_by_row(plan, side='') -%}
{%- set said = [{'name': '_sequence', 'sql': side ~ '_sequence'},
                {'name': '_dbtc_is_erased', 'sql': side ~ '_image_hash is null'}] -%}
{%- set is_new = [{'name': '_dbtc_is_new', 'sql': side ~ '_batch_id >= ' ~ plan.since}]
    if plan.since else [] -%}
{%- set ranks = [] -%}
{%- for rank in dbt_changelog.rank_sql(plan, side) -%}
{%- do ranks.append({'name': '_dbtc_rank_' ~ loop.index, 'sql': rank}) -%}
{%- endfor -%}
{#- the text of a row (LAST) is another one in new columns; an adopted row always gives way -#}
{%- set place = 0 if dbt_changelog.has_adopted(plan) else 1 -%}
{{ return(said + ranks[:place] + is_new + ranks[place:] + [
  {'name': '_image_hash', 'sql': dbt_changelog.stored_hash_sql(plan, side, as_read=true)},
]) }}
{%- endmacro %}

{#- The same, then by when they came, the first before the others, so that no two are equal. -#}
{% macro age_of_row(plan, side='') -%}
{{ return(dbt_changelog.said_by_row(plan, side) + [
  {'name': '_dbtc_before', 'sql': '-' ~ side ~ '_batch_id'},
  {'name': '_changed_at', 'sql': side ~ '_changed_at'},
]) }}
{%- endmacro %}
