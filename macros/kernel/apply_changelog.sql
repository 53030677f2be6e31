{#-
  Changelog -> table, for use in any model: the last change of every key, without deleted keys.

  input: a relation or CTE with _row_kind, _sequence, _ordinal before its own columns.
-#}
{% macro apply_changelog(input, unique_key, sequence_by='_sequence', tie_handling='FAIL',
                         passthrough=none) -%}
{%- set where = dbt_changelog.macro_where('apply_changelog') -%}
{%- set plan = dbt_changelog.apply_plan(
    where, unique_key, sequence_by, tie_handling, passthrough) -%}
select * except (_row_kind, _sequence, _ordinal, _image_hash)
from (
  select _last.*
  from (
    {{ dbt_changelog.last_changes_sql(plan, input) | indent(4) }}
  ) as last_changes
  where {{ dbt_changelog.tie_check_sql(plan) | indent(2) }}
) as applied
where _row_kind in ({{ dbt_changelog.literals(dbt_changelog.live_kinds()) }})
{%- endmacro %}
