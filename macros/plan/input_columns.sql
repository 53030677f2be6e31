{#- The columns of the query and of its images: {input, before, after}, by analysis alone. -#}
{% macro input_columns(where, config, query) -%}
{%- set input = dbt_changelog.describe_query('select * from (\n' ~ query ~ '\n)') -%}
{%- set columns = {'input': input, 'before': [], 'after': []} -%}
{%- for side in ['before', 'after'] if config.get(side) is string -%}
{%- set name = dbt_changelog.require_column(
    where, side, config.get(side), input | map(attribute='name') | list) -%}
{%- set type = (input | selectattr('name', 'equalto', name) | first).type -%}
{%- if not type.startswith('struct<') -%}
{%- do dbt_changelog.raise_invalid(where, side, "column '" ~ name ~ "' is " ~ type
    ~ ', and an image is a struct', "parse it in the query, for example with from_json") -%}
{%- endif -%}
{%- do columns.update({side: dbt_changelog.describe_query(
    'select ' ~ dbt_changelog.quote(name) ~ '.* from (\n' ~ query ~ '\n)')}) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}
