{#- A change of a key and sequence that were there before it does nothing, or is a tie. -#}
{% macro repeat_check_sql(plan) -%}
{%- set ours = dbt_changelog.live_kind_sql() -%}
{%- set theirs = dbt_changelog.live_kind_sql('_known.') -%}
if(
  ({{ ours }}) <> ({{ theirs }})
    or ({{ ours }} and not {{ dbt_changelog.rows_equal_sql('_known._image', '_image') }}),
  {{ dbt_changelog.tie_error_sql(plan, '', '_sequence') }},
  null
)
{%- endmacro %}
