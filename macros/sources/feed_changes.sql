{#-
  The changes of a Delta or Iceberg table that a to_changelog model has not read yet, as a subquery.
  A first run begins with the rows of the first version whose changes are still there; a full
  refresh needs only the current rows, and so does a command that makes no batch.
-#}
{% macro feed_changes(where, relation) -%}
{%- set no_changes = dbt_changelog.rows_as_changes_sql(relation) ~ '\nwhere false' -%}
{%- if not dbt_changelog.makes_batch() -%}
{{ return('(\n  ' ~ (no_changes if dbt_changelog.reads_nothing()
    else dbt_changelog.rows_as_changes_sql(relation)) | indent(2) ~ '\n)') }}
{%- endif -%}
{%- set last = dbt_changelog.last_position(relation) -%}
{%- set feed = dbt_changelog._table_feed(where, relation, last) -%}
{%- set columns, parts = dbt_changelog._feed_columns(where, relation), [] -%}
{%- set start = last or (feed.next if should_full_refresh() else feed.first) -%}
{%- if start and not last -%}
{%- do parts.append(dbt_changelog._rows_at_sql(where, relation, columns, start)) -%}
{%- endif -%}
{%- if start != feed.next -%}
{%- do parts.append(dbt_changelog._net_feed_sql(columns, dbt_changelog._feed_key(where, columns),
    feed.changes(feed, columns, start))) -%}
{%- endif -%}
{{ return('(\n  ' ~ dbt_changelog.range_comment(relation, last, feed.next) ~ '\n  '
          ~ (parts | join('\nunion all\n') or no_changes) | indent(2) ~ '\n)') }}
{%- endmacro %}

{#-
  The changes that a Delta or Iceberg table keeps of itself: {first, next, changes}. first: the
  position whose rows a reader without a position begins with; next: the one that the table is at;
  changes: the macro that reads what is between two. last: the position of the reader, or none.
-#}
{% macro _table_feed(where, relation, last) -%}
{%- set properties = dbt_changelog.table_properties(relation)
    if dbt_changelog.table_exists(relation) else {} -%}
{%- if 'delta.minReaderVersion' in properties -%}
{{ return(dbt_changelog.delta_feed(where, relation, last, properties)) }}
{%- elif 'current-snapshot-id' in properties -%}
{{ return(dbt_changelog.iceberg_feed(where, relation, last, properties)) }}
{%- endif -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', relation ~ ' is neither a from_changelog model'
    ~ ' of this project nor a table of Delta or Iceberg', "write {{ dbt_changelog" ~ ".changes(ref("
    ~ "'customers')) }} of one with changelog=true, or of such a table; a query of any other"
    ~ ' relation is taken for a table, and its changes are found') -%}
{%- endmacro %}

{#- The columns of a table whose changes are read: [{name, type, parts}], as describe_columns. -#}
{% macro _feed_columns(where, relation) -%}
{%- set columns = dbt_changelog.describe_columns('select * from ' ~ relation) -%}
{%- do dbt_changelog.check_generated(where, columns | map(attribute='name') | list,
    dbt_changelog.generated_columns() + ['_change_type', '_change_ordinal', '_commit_version',
      '_commit_timestamp', '_commit_snapshot_id']) -%}
{{ return(columns) }}
{%- endmacro %}

{#-
  What a table's versions changed. A row that a version wrote anew, as often as before, is left out:
  files are rewritten whole. With a key a row that goes and one that comes are an update of it.
-#}
{% macro _net_feed_sql(columns, key, changes) -%}
{%- set row, one_key = [], '(partition by _sequence, ' ~ dbt_changelog.csv(key or []) ~ ')' -%}
{%- for column in columns -%}
{%- do row.append(dbt_changelog.comparable_sql(dbt_changelog.quote(column.name), column)) -%}
{%- endfor -%}
{%- set one_row = 'partition by _sequence, ' ~ row | join(', ') -%}
(
with live_changes as (
  select
    *,
    {{ dbt_changelog.is_live_sql() }} as _dbtc_is_live
  from (
    {{ changes | indent(4) }}
  ) as feed
),

weighed_changes as (
  select
    *,
    sum(if(_dbtc_is_live, 1, -1)) over ({{ one_row }}) as _dbtc_weight,
    row_number() over ({{ one_row }}, _dbtc_is_live order by _row_kind) as _dbtc_copy
  from live_changes
)

select
{%- if key %}
  case
    when min(_dbtc_is_live) over {{ one_key }} = max(_dbtc_is_live) over {{ one_key }}
      then if(_dbtc_is_live, 'INSERT', 'DELETE')
    else if(_dbtc_is_live, 'UPDATE_AFTER', 'UPDATE_BEFORE')
  end as _row_kind,
{%- else %}
  _row_kind,
{%- endif %}
  _sequence,
  if(_dbtc_is_live, 1, 0) as _ordinal,
  {{ dbt_changelog.csv(columns | map(attribute='name'), separator=',\n  ') }},
  _sequence as _batch_id
from weighed_changes
where _dbtc_is_live = (_dbtc_weight > 0) and _dbtc_copy <= abs(_dbtc_weight)
)
{%- endmacro %}

{#- The rows of a table as the changes that made it, all at one version. columns: SQL text. -#}
{% macro rows_as_changes_sql(table, columns='*', version=0) -%}
select
  'INSERT' as _row_kind,
  cast({{ version }} as bigint) as _sequence,
  1 as _ordinal,
  {{ columns }},
  cast({{ version }} as bigint) as _batch_id
from {{ table }}
{%- endmacro %}

{#-
  The rows that a table had at a position, as changes in its current columns. One that has gone
  since may have another name now, so nothing says what its values are.
-#}
{% macro _rows_at_sql(where, relation, columns, position) -%}
{%- set table = relation ~ ' version as of ' ~ position.get('snapshot', position.value) -%}
{%- set then = dbt_changelog.describe_query('select * from ' ~ table) | map(attribute='name') | list
-%}
{%- set now, items = columns | map(attribute='name') | list, [] -%}
{%- for name in then if dbt_changelog.find_name(name, now) is none -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', relation ~ " had a column '" ~ name
    ~ "' at " ~ position.column ~ ' ' ~ position.value ~ ', where its changes begin',
    'give the table a ' ~ position.column ~ ' with its new columns, for example with insert into '
    ~ relation ~ ' select * from ' ~ relation ~ ' limit 0; then run with --full-refresh'
    if should_full_refresh() else
    'run with --full-refresh: this model then begins with the rows that the table has now') -%}
{%- endfor -%}
{%- for column in columns -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- do items.append(name if dbt_changelog.find_name(column.name, then) is not none
    else 'cast(null as ' ~ column.type ~ ') as ' ~ name) -%}
{%- endfor -%}
{{ return(dbt_changelog.rows_as_changes_sql(table, items | join(',\n  '), position.value)) }}
{%- endmacro %}

{#- The key by which the changes of a table are paired: the model's, as the table spells it. -#}
{% macro _feed_key(where, columns) -%}
{%- set given = dbt_changelog.encode_args(where, model.config) -%}
{{ return(dbt_changelog.require_columns(where, 'unique_key', given.unique_key,
    columns | map(attribute='name') | list)) }}
{%- endmacro %}

{#- A table forgets its changes: of those since the last position none may be missing. -#}
{% macro check_feed_is_whole(where, relation, last, is_whole) -%}
{%- if not is_whole -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', relation ~ ' no longer has all its changes'
    ~ ' since ' ~ last.column ~ ' ' ~ last.get('snapshot', last.value)
    ~ ', up to which it was read',
    'run this model with --full-refresh: it appends the difference as one batch, and goes on'
    ~ ' from there; then run it more often than the table forgets its changes') -%}
{%- endif -%}
{%- endmacro %}
