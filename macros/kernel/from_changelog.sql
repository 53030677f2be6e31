{#-
  Change events -> changelog, for use in any model: FLIP-564's FROM_CHANGELOG.

  input: a relation or the name of a CTE. Gives _row_kind, _sequence, _ordinal, then the payload.
  Where the mapping needs the previous row of a key, the input is taken for the whole log.
-#}
{% macro from_changelog(input) -%}
{%- set where = dbt_changelog.macro_where('from_changelog') -%}
{%- do dbt_changelog.check_argument_names(where, kwargs, dbt_changelog.decode_defaults() | list) -%}
{%- set plan = dbt_changelog.decode_plan(where, kwargs) -%}
{%- if plan.state_backed -%}
{%- set upserts = dbt_changelog.decode_sql(dict(plan, upserts_only=true), input) -%}
{%- set winners = dbt_changelog.winning_changes_sql(plan, upserts) -%}
{{ dbt_changelog.emit_changes_sql(plan, winners) }}
{%- else -%}
{{ dbt_changelog.decode_sql(plan, input) }}
{%- endif -%}
{%- endmacro %}
