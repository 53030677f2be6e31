{#- An error on the data, in raise_invalid's words. value: SQL text to show between the two. -#}
{% macro raise_error_sql(before, value=none, after='') -%}
{%- if value is none -%}
{{ return('raise_error(' ~ dbt_changelog.literal(before ~ after) ~ ')') }}
{%- endif -%}
{{ return('raise_error(concat(' ~ dbt_changelog.literal(before) ~ ', ' ~ value ~ ', '
          ~ dbt_changelog.literal(after) ~ '))') }}
{%- endmacro %}
