{#-
  The time of processing, as SQL. var dbt_changelog_now: a timestamp to take instead, for tests of
  what depends on it.
-#}
{% macro clock() -%}
{%- set now = var('dbt_changelog_now', none) -%}
{{ return('timestamp' ~ dbt_changelog.literal(now) if now else 'current_timestamp()') }}
{%- endmacro %}
