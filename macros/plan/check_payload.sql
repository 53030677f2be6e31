{#- The columns of the result: there must be some, and none may stand where we write ours. -#}
{% macro check_payload(where, payload, passthrough) -%}
{%- if not payload -%}
{%- do dbt_changelog.raise_invalid(where, 'input', 'it has no column besides the op column',
    'select the columns of the row too') -%}
{%- endif -%}
{%- for name in passthrough if dbt_changelog.find_name(name, payload) is not none -%}
{%- do dbt_changelog.raise_invalid(where, 'passthrough',
    "'" ~ name ~ "' is also a field of the images", 'rename it in the query') -%}
{%- endfor -%}
{%- for name in payload + passthrough if '${' in name -%}
{%- do dbt_changelog.raise_invalid(where, 'input', "Spark would replace a part of its column '"
    ~ name ~ "', also between backquotes", 'rename it in the query') -%}
{%- endfor -%}
{%- do dbt_changelog.check_generated(
    where, dbt_changelog.generated_columns(), payload + passthrough) -%}
{%- endmacro %}
