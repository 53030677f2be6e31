{#- The columns of a table whose changes are read: [{name, type, parts}], as describe_columns. -#}
{% macro feed_columns(where, relation) -%}
{%- set columns = dbt_changelog.describe_columns('select * from ' ~ relation) -%}
{%- do dbt_changelog.check_generated(where, dbt_changelog.generated_columns()
    + ['_change_type', '_change_ordinal', '_commit_version', '_commit_timestamp',
       '_commit_snapshot_id'], columns | map(attribute='name') | list) -%}
{{ return(columns) }}
{%- endmacro %}
