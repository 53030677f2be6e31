{#-
  Each change of a key is possible after the one before it; without unique_key no row goes more
  often than it comes. A failing row says which rule it breaks.

  model: a relation with _row_kind, _sequence, _ordinal; where it has _batch_id, batches come first.
-#}
{% test valid_changelog(model, unique_key=none) -%}
{%- if execute -%}
{%- set where = 'data test valid_changelog of ' ~ model -%}
{%- set names = dbt_changelog.describe_query('select * from ' ~ model)
    | map(attribute='name') | list -%}
{%- set key = dbt_changelog.changelog_key(where, unique_key, names) -%}
{{ dbt_changelog._broken_changes_sql(model, key, names) if key
   else dbt_changelog._broken_weights_sql(model, names) }}
{%- endif -%}
{%- endtest %}

{#- The changes of a changelog with a key that break a rule, and which. -#}
{% macro _broken_changes_sql(model, key, names) -%}
{%- set by_key = '(\n      partition by ' ~ dbt_changelog.csv(key) ~ '\n      order by '
    ~ dbt_changelog.change_order_sql(names) ~ '\n    )' -%}
with neighbours as (
  select
    {{ dbt_changelog.csv(key) }},
    _row_kind,
    _sequence,
    _ordinal,
    lag(struct(_row_kind, _sequence)) over {{ by_key }} as _dbtc_previous,
    lead(struct(_row_kind, _sequence)) over {{ by_key }} as _dbtc_next
  from {{ model }}
),

changes as (
  select
    *,
    coalesce(_dbtc_previous._row_kind, 'DELETE') <> 'DELETE' as _dbtc_is_there
  from neighbours
),

checked_changes as (
  select
    *,
    case
      when {{ dbt_changelog._is_no_kind_sql() }}
        then 'an unknown row kind'
      when {{ dbt_changelog.csv(key, suffix=' is null', separator=' or ') }}
        or _sequence is null then 'a NULL in the key or in _sequence'
      when _row_kind = 'INSERT' and _dbtc_is_there then 'INSERT of a key that is there'
      when _row_kind <> 'INSERT' and not _dbtc_is_there then
        concat(_row_kind, ' of a key that is not there')
      when _row_kind = 'UPDATE_BEFORE' and not coalesce(
        _dbtc_next._row_kind = 'UPDATE_AFTER' and _dbtc_next._sequence = _sequence, false
      ) then 'UPDATE_BEFORE without its UPDATE_AFTER'
      when _row_kind = 'UPDATE_AFTER'
        and (select any(_row_kind = 'UPDATE_BEFORE') from {{ model }})
        and not (_dbtc_previous._row_kind = 'UPDATE_BEFORE'
                 and _dbtc_previous._sequence = _sequence)
        then 'UPDATE_AFTER without its UPDATE_BEFORE'
    end as _broken_rule
  from changes
)

select
  _broken_rule,
  {{ dbt_changelog.csv(key) }},
  _row_kind,
  _sequence,
  _ordinal
from checked_changes
where _broken_rule is not null
{%- endmacro %}

{#- The changes of a changelog without a key that break a rule, and which. -#}
{% macro _broken_weights_sql(model, names) -%}
{%- set own, groups = ['_row_kind', '_sequence', '_ordinal', '_batch_id', '_position'], [] -%}
{%- for column in dbt_changelog.columns_named(model, names | reject('in', own) | list) -%}
{%- do groups.append(dbt_changelog.comparable_sql(dbt_changelog.quote(column.name), column)) -%}
{%- endfor -%}
with checked_changes as (
  select
    case
      when {{ dbt_changelog._is_no_kind_sql() }}
        then 'an unknown row kind'
      when sum({{ dbt_changelog.weight_sql() }}) over (
        partition by {{ groups | join(', ') }}
      ) < 0 then 'a row that goes more often than it comes'
    end as _broken_rule,
    *
  from {{ model }}
)

select *
from checked_changes
where _broken_rule is not null
{%- endmacro %}

{% macro _is_no_kind_sql() -%}
{{ return('_row_kind is null or _row_kind not in ('
          ~ dbt_changelog.literals(dbt_changelog.row_kinds()) ~ ')') }}
{%- endmacro %}
