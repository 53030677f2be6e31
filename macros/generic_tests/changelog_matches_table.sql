{#-
  What a changelog folds to is exactly the table: the last change of every key, without deleted
  keys; without unique_key every row as often as it came and did not go.

  A failing row says in _in_changelog and _in_table how often either side has it.
-#}
{% test changelog_matches_table(model, table, unique_key=none, exclude=[]) -%}
{%- if execute -%}
{%- set where = 'data test changelog_matches_table of ' ~ model -%}
{%- set found = dbt_changelog.describe_columns('select * from ' ~ model) -%}
{%- set names = found | map(attribute='name') | list -%}
{%- set columns = dbt_changelog.describe_query('select * from ' ~ table)
    | map(attribute='name') | list -%}
{%- set key = dbt_changelog.changelog_key(where, unique_key, names) -%}
{%- set exclude = dbt_changelog.parse_names(where, 'exclude', exclude) -%}
{%- for name in dbt_changelog.missing_names(exclude, names + columns) -%}
{%- do dbt_changelog.raise_invalid(where, 'exclude', "column '" ~ name ~ "' is on neither side. The"
    ~ ' changelog has ' ~ names | join(', ') ~ '; ' ~ table ~ ' has ' ~ columns | join(', '),
    'leave it out') -%}
{%- endfor -%}
{%- set generated = ['_row_kind', '_sequence', '_ordinal', '_batch_id', '_position'] -%}
{%- set compared = [] -%}
{%- for name in names + columns
    if dbt_changelog.find_name(name, exclude + generated + compared) is none -%}
{%- if dbt_changelog.find_name(name, names) is none
    or dbt_changelog.find_name(name, columns) is none -%}
{%- do dbt_changelog.raise_invalid(where, 'exclude', "column '" ~ name
    ~ "' is missing on one side. The changelog has " ~ names | join(', ') ~ '; ' ~ table ~ ' has '
    ~ columns | join(', '), "give both the same columns, or set exclude=['" ~ name ~ "']") -%}
{%- endif -%}
{%- do compared.append(name) -%}
{%- endfor -%}
{%- set columns = found | selectattr('name', 'in', compared) | list -%}
{{ dbt_changelog.unequal_rows_sql(columns, dbt_changelog.folded_sql(model, key, columns, names),
                                  table, '_in_changelog', '_in_table') }}
{%- endif -%}
{%- endtest %}
