{#-
  Change events -> changelog, for use in any model: FLIP-564's FROM_CHANGELOG.

  input: a relation or the name of a CTE. Gives _row_kind, _sequence, _ordinal, then the payload.
-#}
{% macro from_changelog(input) -%}
{%- set where = 'from_changelog(...)' ~ (" of model '" ~ model.name ~ "'" if model else '') -%}
{%- do dbt_changelog.check_argument_names(where, kwargs, dbt_changelog.decode_defaults() | list) -%}
{%- set plan = dbt_changelog.decode_plan(where, kwargs) -%}
{%- if plan.state_backed -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping',
    'it needs the previous row of a key, which the macro does not look up yet',
    "use materialized='from_changelog', or map codes that need no previous row") -%}
{%- endif -%}
{{ dbt_changelog.decode_sql(plan, input) }}
{%- endmacro %}
