{#-
  What to_changelog makes of a changelog, read again with from_changelog, leaves the same rows. A
  failing row says how often each of the two has it.

  model: a relation with _row_kind, _sequence, _ordinal; where it has _batch_id, batches come first.
  read_with: arguments of from_changelog, where they are not the reverse of the others, those of
  to_changelog.
-#}
{% test round_trip(model, unique_key=none, encoding=none, op_mapping=none, op='op', before=none,
                   after=none, read_with=none) -%}
{%- if execute -%}
{%- set where = 'data test round_trip of ' ~ model -%}
{%- set names = dbt_changelog.describe_query('select * from ' ~ model)
    | map(attribute='name') | list -%}
{%- set key = dbt_changelog.changelog_key(where, unique_key, names) -%}
{%- set rows = names | reject('in', ['_row_kind', '_sequence', '_ordinal', '_batch_id']) | list -%}
{%- set sequence = 'struct(_batch_id, _sequence)' if '_batch_id' in names else '_sequence' -%}
{%- set given = {'op': op, 'encoding': encoding, 'op_mapping': op_mapping, 'before': before,
                 'after': after, 'unique_key': key or none} -%}
{%- set mapping = dbt_changelog.inverse_mapping(dbt_changelog.encode_plan(where, given)) -%}
{%- set back = dict({'op': op, 'op_mapping': mapping, 'before': before, 'after': after,
  'unique_key': key or none, 'sequence_by': ['_sequence', '_ordinal'] if key else none,
}, **(read_with or {})) -%}
{%- if back.op_mapping is none -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping',
    'it loses changes, so the rows can not be found again',
    'give each row kind a code; with unique_key UPDATE_BEFORE needs none') -%}
{%- endif -%}
{%- set changes -%}
(
  select
    _row_kind,
    {{ sequence }} as _sequence,
    _ordinal,
    {{ dbt_changelog.csv(rows) }}
  from {{ model }}
) as changes
{%- endset -%}
{%- set again -%}
(
with written as (
  select *{{ ' except (_sequence, _ordinal)' if not key }}
  from {{ dbt_changelog.to_changelog(changes, **given) }}
)

select *
from {{ dbt_changelog.from_changelog('written', **back) }}
) as again
{%- endset -%}
{%- set columns = dbt_changelog.columns_named(model, rows) -%}
{{ dbt_changelog.unequal_rows_sql(columns, dbt_changelog.folded_sql(changes, key, columns, []),
     dbt_changelog.folded_sql(again, key, columns, []), '_in_changelog', '_in_round_trip') }}
{%- endif -%}
{%- endtest %}
