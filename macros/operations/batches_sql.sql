{#- The rows of all tables of batches that the models of the project write, with their schema. -#}
{% macro batches_sql() -%}
{%- set columns, queries = dbt_changelog.batch_columns(), [] -%}
{%- for schema in dbt_changelog.changelog_nodes() | map(attribute='schema') | unique | sort -%}
{%- set batches = dbt_changelog.batches_relation(
    api.Relation.create(schema=schema, identifier='any')) -%}
{%- do queries.append('select\n  ' ~ dbt_changelog.literal(schema) ~ ' as schema_name,\n  '
    ~ columns | map(attribute='name') | join(', ') ~ '\nfrom ' ~ batches)
    if load_relation(batches) is not none -%}
{%- endfor -%}
{{ return(queries | join('\nunion all\n') or dbt_changelog.no_rows_sql(
    [{'name': 'schema_name', 'type': 'string'}] + columns)) }}
{%- endmacro %}
