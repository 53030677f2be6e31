{#-
  The rows of all tables of batches that the models of the project write, with their schema. One of
  an earlier version may lack a column until the next run adds it.
-#}
{% macro batches_sql() -%}
{%- set columns, queries = dbt_changelog.batch_columns(), [] -%}
{%- for schema in dbt_changelog.changelog_nodes() | map(attribute='schema') | unique | sort -%}
{%- set batches = dbt_changelog.batches_relation(
    api.Relation.create(schema=schema, identifier='any')) -%}
{%- if load_relation(batches) is not none -%}
{%- set items = [dbt_changelog.literal(schema) ~ ' as schema_name'] -%}
{%- set found = dbt_changelog.describe_query('select * from ' ~ batches) | map(attribute='name')
    | list -%}
{%- for column in columns -%}
{%- do items.append(column.name if dbt_changelog.find_name(column.name, found) is not none
    else 'cast(null as ' ~ column.type ~ ') as ' ~ column.name) -%}
{%- endfor -%}
{%- do queries.append('select\n  ' ~ items | join(',\n  ') ~ '\nfrom ' ~ batches) -%}
{%- endif -%}
{%- endfor -%}
{{ return(queries | join('\nunion all\n') or dbt_changelog.no_rows_sql(
    [{'name': 'schema_name', 'type': 'string'}] + columns)) }}
{%- endmacro %}
