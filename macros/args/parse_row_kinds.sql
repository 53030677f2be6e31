{#- 'UPDATE_BEFORE, UPDATE_AFTER' or a list of row kinds -> the list, checked. -#}
{% macro parse_row_kinds(where, value) -%}
{%- if value is mapping or (value is not string and value is not iterable) -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', 'row kind ' ~ value ~ ' is not a string',
    'write every code and row kind as a string') -%}
{%- endif -%}
{%- set valid = dbt_changelog.row_kinds() -%}
{%- set kinds = dbt_changelog.parse_items(where, 'op_mapping', value, 'row kind') -%}
{%- for kind in kinds if kind not in valid -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping', "unknown row kind '" ~ kind
    ~ "'. Row kinds are: " ~ valid | sort | join(', '), 'name one of them, in capitals') -%}
{%- endfor -%}
{%- if kinds | unique | list | length < kinds | length -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping',
    "'" ~ kinds | join(', ') ~ "' names a row kind twice", 'name it once') -%}
{%- endif -%}
{%- set ordered = valid | select('in', kinds) | list -%}
{%- if ordered | length != 1 and ordered | join(', ') not in dbt_changelog._groups() -%}
{%- do dbt_changelog.raise_invalid(where, 'op_mapping',
    "'" ~ kinds | join(', ') ~ "' is not a group of row kinds that can share a code",
    'give each row kind its own code, or use one of: '
    ~ dbt_changelog._groups() | join('; ')) -%}
{%- endif -%}
{{ return(ordered) }}
{%- endmacro %}

{% macro _groups() -%}
{{ return(['UPDATE_BEFORE, UPDATE_AFTER', 'INSERT, UPDATE_AFTER',
           'UPDATE_BEFORE, INSERT, UPDATE_AFTER']) }}
{%- endmacro %}
