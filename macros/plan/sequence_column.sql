{#-
  The column that an item of sequence_by names, or none when it is a SQL expression.

  A plain name or a path that the input has not is an error here: it would be Spark's later.
-#}
{% macro sequence_column(where, item, names) -%}
{%- set name = dbt_changelog.find_name(item, names) -%}
{%- set root = item.split('.')[0] | trim('`') -%}
{%- if name is none and ',' in item and '(' not in item -%}
{%- do dbt_changelog.raise_invalid(where, 'sequence_by', "'" ~ item ~ "' is neither a column nor"
    ~ ' one expression', 'write several columns as a list') -%}
{%- endif -%}
{%- if name is none and modules.re.fullmatch('[A-Za-z_0-9.`]+', item)
    and dbt_changelog.find_name(root, names) is none -%}
{%- do dbt_changelog.require_column(where, 'sequence_by', root, names) -%}
{%- endif -%}
{{ return(name) }}
{%- endmacro %}
