{#- A change of a key and sequence that were there before does nothing, or is a tie. -#}
{% macro repeat_check_sql(plan) -%}
{%- set ours = dbt_changelog.live_kind_sql() -%}
{%- set theirs = dbt_changelog.live_kind_sql('_known.') -%}
if(
  ({{ ours }}) <> ({{ theirs }})
    or ({{ ours }} and not _is_equal),
  {{ dbt_changelog.tie_error_sql(plan, '', '_sequence') }},
  null
)
{%- endmacro %}
