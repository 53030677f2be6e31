{#- An item of partition_by as SQL: a column, or of one a transform that the format has. -#}
{% macro partition_sql(where, file_format, item, names) -%}
{%- set transform = modules.re.fullmatch('(?:(bucket|truncate)\\((\\d+), *|'
    ~ '(years|months|days|hours)\\()(.+)\\)', item | trim) -%}
{%- if transform is none or not dbt_changelog.format_features(file_format).transforms
    or dbt_changelog.find_name(item, names) is not none -%}
{{ return(dbt_changelog.quote(
    dbt_changelog.require_column(where, 'partition_by', item, names))) }}
{%- endif -%}
{%- set column = dbt_changelog.quote(
    dbt_changelog.require_column(where, 'partition_by', transform[4], names)) -%}
{{ return((transform[1] ~ '(' ~ transform[2] ~ ', ' if transform[1] else transform[3] ~ '(')
          ~ column ~ ')') }}
{%- endmacro %}
