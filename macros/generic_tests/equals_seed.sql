{#-
  The model has exactly the rows of a seed (or of another relation), each as often.

  Grouping, not a join or `except`: NULL equals NULL there, and duplicates count. A failing row says
  how often each side has it.
-#}
{% test equals_seed(model, seed, columns=none) -%}
{%- if execute -%}
{%- set found = dbt_changelog.describe_columns('select * from ' ~ model) -%}
{%- set names = found | map(attribute='name') | list -%}
{%- set expected = dbt_changelog.describe_query('select * from ' ~ seed)
    | map(attribute='name') | list -%}
{%- set where = 'data test equals_seed of ' ~ model -%}
{%- set wanted = names + expected if columns is none
    else dbt_changelog.parse_names(where, 'columns', columns) -%}
{%- do dbt_changelog.raise_invalid(where, 'columns', 'it is empty, so nothing would be compared',
    'name the columns to compare, or leave it out') if not wanted -%}
{%- for name in wanted
    if dbt_changelog.find_name(name, names) is none
    or dbt_changelog.find_name(name, expected) is none -%}
{%- do dbt_changelog.raise_invalid(where, 'columns',
    "'" ~ name ~ "' is missing on one side. The model has " ~ names | join(', ')
    ~ '; ' ~ seed ~ ' has ' ~ expected | join(', '),
    'give both the same columns, or name the columns to compare') -%}
{%- endfor -%}
{%- set compared = [] -%}
{%- for column in found if dbt_changelog.find_name(column.name, wanted) is not none -%}
{%- do compared.append(column) -%}
{%- endfor -%}
{{ dbt_changelog.unequal_rows_sql(compared, model, seed, '_in_model', '_in_seed') }}
{%- endif -%}
{%- endtest %}
