{#- The change events of a batch of to_changelog: of its staged changes, or of those it reads. -#}
{% macro events_of_batch_sql(plan, batch) -%}
{%- if plan.input == 'table' -%}
{%- set ctes = [dbt_changelog.encode_ctes(dict(plan, nets=false), plan.relations.staged, batch.id)]
-%}
{%- elif batch.refreshes and not batch.creates -%}
{%- set ctes = dbt_changelog._refreshed_ctes(plan, batch) -%}
{%- else -%}
{%- set ctes = [dbt_changelog._read_changes_cte(plan, batch.events, 'changes'),
                dbt_changelog.encode_ctes(plan, 'changes', batch.id)] -%}
{%- endif -%}
{{ return(dbt_changelog.checked_chain_sql(plan, ctes, 'change_events', none,
    dbt_changelog.written_columns_sql(dbt_changelog.event_names(plan), plan.state_columns)
    if batch.creates else [])) }}
{%- endmacro %}

{#-
  Change events of the model without any row: for a table that is not there yet, or a contract.
-#}
{% macro no_events_sql(plan) -%}
{%- if plan.input == 'changes' -%}
{%- set changes = dbt_changelog._read_changes_cte(plan, plan.query, 'changes') -%}
{%- else -%}
{%- set changes = dbt_changelog._query_rows_cte(plan, plan.query)
    ~ ",\n\nchanges as (\n  select 'INSERT' as _row_kind, cast(0 as bigint) as _sequence,"
    ~ ' 0 as _ordinal, *\n  from query_rows\n)' -%}
{%- endif -%}
{{ return(dbt_changelog.chain_sql([
    changes, dbt_changelog.encode_ctes(dict(plan, nets=false), 'changes', 0)], 'change_events',
    dbt_changelog.written_columns_sql(dbt_changelog.event_names(plan), plan.state_columns))
  ~ '\nwhere false') }}
{%- endmacro %}

{#- How the result of a query differs from what the state has of it; without a state all is new. -#}
{% macro diff_of_batch_sql(plan, batch) -%}
{%- set plan = dict(plan, sequence='cast(' ~ batch.id ~ ' as bigint)') -%}
{{ return(dbt_changelog.chain_sql([
  dbt_changelog._query_rows_cte(plan, batch.events),
  dbt_changelog._stored_rows_cte(plan, batch),
  dbt_changelog.diff_ctes(plan, 'stored_rows', 'query_rows'),
], 'differences')) }}
{%- endmacro %}

{#-
  The change events of a full refresh of a model that reads changes: how what all changes leave
  differs from what the events so far leave.
-#}
{% macro _refreshed_ctes(plan, batch) -%}
{%- set plan = dict(plan, input='table', nets=false,
                    sequence='cast(' ~ batch.id ~ ' as bigint)') -%}
{{ return([
  dbt_changelog._read_changes_cte(plan, batch.events, 'all_changes'),
  dbt_changelog._folded_ctes(plan, 'all_changes', 'new_rows'),
  dbt_changelog.decode_ctes(plan.reader, plan.relations.batch_log,
                            upserts_only=plan.unique_key != []),
  dbt_changelog._folded_ctes(plan, 'changes', 'old_rows'),
  dbt_changelog.diff_ctes(plan, 'old_rows', 'new_rows'),
  dbt_changelog.encode_ctes(plan, 'differences', batch.id),
]) }}
{%- endmacro %}

{#- The rows of a query as its state keeps them. -#}
{% macro _query_rows_cte(plan, query) -%}
query_rows as (
  select
    {{ dbt_changelog._cast_columns_sql(plan) | indent(4) }}
  from (

{{ query }}

  ) as query
)
{%- endmacro %}

{#- The changelog that a query reads, ordered over its batches. -#}
{% macro _read_changes_cte(plan, query, name) -%}
{{ name }} as (
  select
    `_row_kind`,
    struct(`_batch_id`, `_sequence`) as _sequence,
    `_ordinal`,
    {{ dbt_changelog._cast_columns_sql(plan) | indent(4) }}
  from (

{{ query }}

  ) as query
)
{%- endmacro %}

{#- The columns of a query as an event table and its state keep them. -#}
{% macro _cast_columns_sql(plan) -%}
{%- set columns = [] -%}
{%- for column in plan.state_columns -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- do columns.append(name if column.type == column.given
    else 'cast(' ~ name ~ ' as ' ~ column.type ~ ') as ' ~ name) -%}
{%- endfor -%}
{{ return(columns | join(',\n')) }}
{%- endmacro %}

{#- The rows of the query at the last batch: those of the state, with NULL in new columns. -#}
{% macro _stored_rows_cte(plan, batch) -%}
{%- set added, columns = plan.added | map(attribute='name') | list, [] -%}
{%- for column in plan.state_columns -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- do columns.append('cast(null as ' ~ column.type ~ ') as ' ~ name if column.name in added
                      else name) -%}
{%- endfor -%}
{%- set known = dict(plan, payload=plan.payload | reject('in', added) | list,
                     passthrough=plan.passthrough | reject('in', added) | list) -%}
{%- if batch.creates -%}
stored_rows as (
  select *
  from query_rows
  where false
)
{%- else -%}
contents as (
  {{ dbt_changelog.kernel_of(plan.kernel).contents(known, plan.relations.state) | indent(2) }}
),

stored_rows as (
  select
    {{ columns | join(',\n    ') }}
  from contents
)
{%- endif -%}
{%- endmacro %}

{#- The rows that a changelog leaves, in the columns of the plan, as CTEs. -#}
{% macro _folded_ctes(plan, changes, name) -%}
{%- set columns, last = [], changes ~ '_left' -%}
{%- for column in plan.state_columns -%}
{%- set place = dbt_changelog.quote(column.name) -%}
{%- do columns.append('cast(' ~ ('_dbtc_last.' if plan.unique_key) ~ place ~ ' as ' ~ column.type
    ~ ') as ' ~ place) -%}
{%- endfor -%}
{%- if plan.unique_key -%}
{{ last }} as (
  select
    max_by(
      struct(*),
      struct({{ dbt_changelog.change_order_sql([]) }})
    ) as _dbtc_last
  from {{ changes }}
  group by {{ dbt_changelog.csv(plan.unique_key) }}
),

{{ name }} as (
  select
    {{ columns | join(',\n    ') }}
  from {{ last }}
  where {{ dbt_changelog.is_live_sql('_dbtc_last.') }}
)
{%- else -%}
{{ dbt_changelog.weights_cte(plan.compared, changes, dbt_changelog.weight_sql(), last) }},

{{ name }} as (
  select
    {{ columns | join(',\n    ') }}
  from {{ last }}
  {{ dbt_changelog.copies_sql() | indent(2) }}
)
{%- endif -%}
{%- endmacro %}
