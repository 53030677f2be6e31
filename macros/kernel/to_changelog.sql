{#-
  Changelog -> change events, for use in any model: FLIP-564's TO_CHANGELOG.

  input: a relation or the name of a CTE with _row_kind, _sequence, _ordinal before its own columns.
  Gives the op column, what passes through, the row or its images, then _sequence and _ordinal,
  which order the events. With unique_key the input is taken for the whole log.
-#}
{% macro to_changelog(input) -%}
{%- set where = dbt_changelog.macro_where('to_changelog') -%}
{%- do dbt_changelog.check_argument_names(where, kwargs, dbt_changelog.encode_defaults() | list) -%}
{{ dbt_changelog.encode_sql(dbt_changelog.encode_plan(where, kwargs), input) }}
{%- endmacro %}
