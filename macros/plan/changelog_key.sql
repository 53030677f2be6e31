{#-
  The key of a changelog under test, as its columns are spelled; it must have ours, too. None: each
  of its changes counts.
-#}
{% macro changelog_key(where, unique_key, names) -%}
{%- do dbt_changelog.require_columns(
    where, 'model', ['_row_kind', '_sequence', '_ordinal'], names) -%}
{%- set key = dbt_changelog.require_columns(where, 'unique_key',
    dbt_changelog.parse_names(where, 'unique_key', unique_key), names) -%}
{%- if not key and unique_key is not none -%}
{%- do dbt_changelog.raise_invalid(where, 'unique_key', 'it names no column',
    'name the column, for example unique_key: id, or a list of columns; leave it out if the'
      ~ ' changelog has no key') -%}
{%- endif -%}
{{ return(key) }}
{%- endmacro %}
