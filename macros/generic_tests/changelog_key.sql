{#-
  The key of a changelog under test, as its columns are spelled; it must have ours, too. None: each
  of its changes counts.
-#}
{% macro changelog_key(where, unique_key, names) -%}
{%- for name in ['_row_kind', '_sequence', '_ordinal'] -%}
{%- do dbt_changelog.require_column(where, 'model', name, names) -%}
{%- endfor -%}
{%- set key = [] -%}
{%- for name in dbt_changelog.parse_names(where, 'unique_key', unique_key) -%}
{%- do key.append(dbt_changelog.require_column(where, 'unique_key', name, names)) -%}
{%- endfor -%}
{%- if not key and unique_key is not none -%}
{%- do dbt_changelog.raise_invalid(where, 'unique_key', 'it names no column',
    'name the column, for example unique_key: id, or a list of columns; leave it out if the'
      ~ ' changelog has no key') -%}
{%- endif -%}
{{ return(key) }}
{%- endmacro %}
