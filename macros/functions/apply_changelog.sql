{#-
  Changelog -> table, for use in any model: the last change of every key, without deleted keys.

  input: a relation or CTE with _row_kind, _sequence, _ordinal before its own columns.
-#}
{% macro apply_changelog(input, unique_key, sequence_by='_sequence', tie_handling='FAIL',
                         passthrough=none) -%}
{%- set where = dbt_changelog.macro_where('apply_changelog') -%}
{%- set key = dbt_changelog.parse_names(where, 'unique_key', unique_key) -%}
{%- do dbt_changelog.raise_invalid(where, 'unique_key', 'it is required and was not set',
    "name the key columns, for example unique_key='id'") if not key -%}
{%- set plan = {
  'where': where,
  'unique_key': key,
  'tie_handling':
    dbt_changelog.parse_choice(where, 'tie_handling', tie_handling, ['FAIL', 'LAST']),
  'passthrough': dbt_changelog.parse_names(where, 'passthrough', passthrough),
  'sequence_by': dbt_changelog.parse_names(where, 'sequence_by', sequence_by),
  'has_update_before': true,
  'compared': none,
  'orderable': false,
} -%}
(
with hashed_changes as (
  select
    *,
    {{ dbt_changelog.image_hash_sql(plan) | indent(4) }} as _image_hash
  from {{ input }}
  where {{ dbt_changelog.change_checks_sql(dict(plan, nets=true, encoding=none)) | indent(2) }}
),

{{ dbt_changelog.last_changes_cte(plan, dbt_changelog.sequence_sql(plan.sequence_by)) }},

applied as (
  select _dbtc_last.*
  from last_changes
{{- dbt_changelog.tie_condition_sql(plan) }}
)

select * except (_row_kind, _sequence, _ordinal, _image_hash)
from applied
where {{ dbt_changelog.is_live_sql() }}
)
{%- endmacro %}
