{#-
  on-run-start: the table of each consistent group that a selected model is in. Here, where there is
  one thread: models that run at once would make it at once.
-#}
{% macro create_group_tables() -%}
{%- set groups = {} -%}
{%- for node in dbt_changelog.changelog_nodes()
    if flags.WHICH in ['run', 'build', 'retry'] and node.unique_id in selected_resources
    and dbt_changelog.group_name(node) -%}
{%- set table = dbt_changelog.group_relation(node.schema, dbt_changelog.group_name(node) | string)
-%}
{%- do groups.update({table | string: {'table': table,
                                       'file_format': dbt_changelog.model_file_format(node)}}) -%}
{%- endfor -%}
{%- for _, group in groups | dictsort -%}
{%- do dbt_changelog._create_group(group.table, group.file_format) -%}
{%- endfor -%}
{%- endmacro %}

{#- A model whose format, name or place can not be has an error of its own. -#}
{% macro _create_group(table, file_format) -%}
{%- if file_format in dbt_changelog.file_formats()
    and dbt_changelog.format_of(file_format).merges
    and modules.re.fullmatch('[A-Za-z0-9_]+', table.identifier)
    and not dbt_changelog.table_exists(table) -%}
{%- set outcome = dbt_changelog.attempt(dbt_changelog._create_group_sql(table, file_format)) -%}
{%- do exceptions.warn('The table ' ~ table ~ ' of a consistent group could not be made: '
    ~ outcome.error ~ '. Its models can not run.'
    ~ ' To fix: drop or rename what is there; the next run makes the table.') if outcome.error -%}
{%- endif -%}
{%- endmacro %}

{#- With the one row that says which moment comes next. -#}
{% macro _create_group_sql(table, file_format) -%}
{%- set values, items = {'kind': "'target'", 'moment': '0', 'at': 'current_timestamp()'}, [] -%}
{%- for column in dbt_changelog.group_columns() -%}
{%- do items.append('cast(' ~ values.get(column.name, 'null') ~ ' as ' ~ column.type ~ ') as '
    ~ column.name) -%}
{%- endfor -%}
create or replace table {{ table }}
using {{ file_format }}
as
select
  {{ items | join(',\n  ') }}
{%- endmacro %}
