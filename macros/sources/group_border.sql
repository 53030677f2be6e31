{#-
  How far a log has whole transactions only, as a query of one value: the last position at which
  none has begun and not ended. NULL where there is none above `last`, at which none was open.

  A transaction reaches from its first row to its last one. Of those that have a row at the last
  position of all, more rows may come; `ends` tells of one that it is complete. A row without a
  transaction is one by itself. The sweep takes them in the order of their first rows: a border is
  where all that have begun have ended, and the next one begins later.
-#}
{% macro group_border_sql(relation, column, group, last, value) -%}
{%- set at = dbt_changelog.quote(column) -%}
with log_rows as (
  select
    {{ at }} as _dbtc_at,
    ({{ group.transaction }}) as _dbtc_transaction,
    {{ 'coalesce((' ~ group.ends ~ '), false)' if group.ends else 'false' }} as _dbtc_ends
  from {{ relation }}
{%- if last %}
  where {{ at }} > {{ dbt_changelog.position_sql(last) }}
{%- endif %}
),

newest_row as (
  select max(_dbtc_at) as _dbtc_at
  from log_rows
),

transactions as (
  select
    min(_dbtc_at) as _dbtc_first,
    max(_dbtc_at) as _dbtc_last,
    max(_dbtc_at) = (select _dbtc_at from newest_row)
    and max(_dbtc_transaction) is not null
    and not bool_or(_dbtc_ends) as _dbtc_is_open
  from log_rows
  group by
    _dbtc_transaction,
    if(_dbtc_transaction is null, _dbtc_at, null)
),

beginnings as (
  select
    _dbtc_first,
    max(_dbtc_last) as _dbtc_last,
    bool_or(_dbtc_is_open) as _dbtc_is_open
  from transactions
  group by _dbtc_first
),

swept as (
  select
    max(_dbtc_last) over (order by _dbtc_first) as _dbtc_reached,
    bool_or(_dbtc_is_open) over (order by _dbtc_first) as _dbtc_is_open,
    lead(_dbtc_first) over (order by _dbtc_first) as _dbtc_next
  from beginnings
)

select {{ value }}
from swept
where not _dbtc_is_open and (_dbtc_next is null or _dbtc_next > _dbtc_reached)
{%- endmacro %}

{#- The last position of a log at which all transactions are whole; `last` where none is new. -#}
{% macro group_border(where, relation, place, last, read, group) -%}
{%- set newest = dbt_changelog.source_end(where, relation, place, last, read) -%}
{%- if not group.transaction or newest == last -%}
{{ return(newest) }}
{%- endif -%}
{%- set query = dbt_changelog.group_border_sql(relation, place.column, group, last,
    dbt_changelog.position_text_sql(where, place, 'max(_dbtc_reached)')) -%}
{%- set found = dbt_changelog.attempt(query) -%}
{%- for name in ['transaction', 'ends'] if found.error and group[name] -%}
{%- set tried = dbt_changelog.try_describe('select *, (' ~ group[name] ~ ') as _dbtc_value from '
    ~ relation) -%}
{%- set type = (tried.columns or [{'type': none}])[-1].type -%}
{%- set error = tried.error or ('it is ' ~ type ~ ' and no condition'
    if name == 'ends' and type != 'boolean' else none) -%}
{%- do dbt_changelog.refuse_expression(where, 'consistent_group.' ~ name, group[name], error,
    'the columns of ' ~ relation) if error -%}
{%- endfor -%}
{%- set value = (found.table or run_query(query)).rows[0][0] -%}
{{ return(last if value is none else dict(place, value=value | string)) }}
{%- endmacro %}
