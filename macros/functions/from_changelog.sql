{#-
  Change events -> changelog, for use in any model: FLIP-564's FROM_CHANGELOG.

  input: a relation or the name of a CTE. Gives _row_kind, _sequence, _ordinal, then the payload.
  Where the mapping needs the previous row of a key, the input is taken for the whole log.
-#}
{% macro from_changelog(input) -%}
{%- set where = dbt_changelog.macro_where('from_changelog') -%}
{%- do dbt_changelog.check_argument_names(where, kwargs, dbt_changelog.decode_defaults() | list) -%}
{%- set plan = dbt_changelog.decode_plan(where, kwargs) -%}
(
{{ dbt_changelog._state_backed_sql(plan, input) if plan.state_backed
   else dbt_changelog.chain_sql([dbt_changelog.decode_ctes(plan, input)], 'changes') }}
)
{%- endmacro %}

{#- Each change against the row before it in the same log. -#}
{% macro _state_backed_sql(plan, input) -%}
with {{ dbt_changelog.decode_ctes(plan, input, upserts_only=true) }},

{{ dbt_changelog.image_hashes_cte(plan) }},

{{ dbt_changelog.winners_ctes(plan, 'hashed_changes', false, dbt_changelog.rank_sql(plan)) }},

{{ dbt_changelog.compared_changes_ctes(plan, 'winners') }}

select
  _row_kind,
  _sequence,
  {{ dbt_changelog.ordinal_sql() }} as _ordinal,
  * except (_row_kind, _sequence)
from compared_changes
{%- endmacro %}
