{#-
  The rows that a table had at a position, as changes in its columns of now. One that has gone since
  may have another name now, so nothing says what its values are.
-#}
{% macro rows_at_sql(where, relation, columns, position) -%}
{%- set table = relation ~ ' version as of ' ~ position.get('snapshot', position.value) -%}
{%- set then = dbt_changelog.describe_query('select * from ' ~ table) | map(attribute='name') | list
-%}
{%- set now, items = columns | map(attribute='name') | list, [] -%}
{%- for name in then if dbt_changelog.find_name(name, now) is none -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', relation ~ " had a column '" ~ name
    ~ "' at " ~ position.column ~ ' ' ~ position.value ~ ', where its changes begin',
    'run with --full-refresh: this model then begins with the rows of now') -%}
{%- endfor -%}
{%- for column in columns -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- do items.append(name if dbt_changelog.find_name(column.name, then) is not none
    else 'cast(null as ' ~ column.type ~ ') as ' ~ name) -%}
{%- endfor -%}
{{ return(dbt_changelog.rows_as_changes_sql(table, items | join(',\n  '), position.value)) }}
{%- endmacro %}
