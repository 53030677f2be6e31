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
{%- set order = dbt_changelog.changelog_order_sql(names) -%}
{%- if not key -%}
{{ return(dbt_changelog.broken_weights_sql(model, names)) }}
{%- endif -%}
{%- set by_key = '(partition by ' ~ dbt_changelog.csv(key) ~ ' order by ' ~ order ~ ')' -%}
select
  _broken_rule,
  {{ dbt_changelog.csv(key) }},
  _row_kind,
  _sequence,
  _ordinal
from (
  select
    *,
    coalesce(_previous._row_kind, 'DELETE') <> 'DELETE' as _is_there,
    case
      when _row_kind not in ({{ dbt_changelog.literals(dbt_changelog.row_kinds()) }})
        or _row_kind is null then 'a row kind that there is not'
      when {{ dbt_changelog.csv(key, suffix=' is null', separator=' or ') }}
        or _sequence is null then 'a NULL in the key or in _sequence'
      when _row_kind = 'INSERT' and _is_there then 'INSERT of a key that is there'
      when _row_kind <> 'INSERT' and not _is_there then
        concat(_row_kind, ' of a key that is not there')
      when _row_kind = 'UPDATE_BEFORE'
        and not coalesce(_next._row_kind = 'UPDATE_AFTER' and _next._sequence = _sequence, false)
        then 'UPDATE_BEFORE without its UPDATE_AFTER'
      when _row_kind = 'UPDATE_AFTER'
        and (select any(_row_kind = 'UPDATE_BEFORE') from {{ model }})
        and not (_previous._row_kind = 'UPDATE_BEFORE' and _previous._sequence = _sequence)
        then 'UPDATE_AFTER without its UPDATE_BEFORE'
    end as _broken_rule
  from (
    select
      {{ dbt_changelog.csv(key) }},
      _row_kind,
      _sequence,
      _ordinal,
      lag(struct(_row_kind, _sequence)) over {{ by_key }} as _previous,
      lead(struct(_row_kind, _sequence)) over {{ by_key }} as _next
    from {{ model }}
  ) as neighbours
) as checked_changes
where _broken_rule is not null
{%- endif -%}
{%- endtest %}
