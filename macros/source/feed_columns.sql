{#- The columns of a table whose changes are read: [{name, type, parts}], parts as column_parts. -#}
{% macro feed_columns(where, relation) -%}
{%- set query, columns = 'select * from ' ~ relation, [] -%}
{%- for column in dbt_changelog.describe_types(query) -%}
{%- do columns.append(dict(column, parts=dbt_changelog.column_parts(query, column))) -%}
{%- endfor -%}
{%- do dbt_changelog.check_generated(where, dbt_changelog.generated_columns()
    + ['_change_type', '_change_ordinal', '_commit_version', '_commit_timestamp',
       '_commit_snapshot_id'], columns | map(attribute='name') | list) -%}
{{ return(columns) }}
{%- endmacro %}
