{#- 'a, b' or ['a', 'b'] -> ['a', 'b']. A trailing comma is ignored, '' alone is the empty item. -#}
{% macro parse_items(where, argument, value, what) -%}
{%- set items = [] -%}
{%- for part in ([value] if value is string or value is not iterable else value) -%}
{%- if part is boolean -%}
{%- do items.append(part | lower) -%}
{%- elif part is string -%}
{%- do items.extend(dbt_changelog._split_items(where, argument, part, what)) -%}
{%- else -%}
{%- do dbt_changelog.raise_invalid(where, argument, what ~ ' ' ~ part ~ ' is not a string',
    'write every code and row kind as a string') -%}
{%- endif -%}
{%- endfor -%}
{{ return(items) }}
{%- endmacro %}

{% macro _split_items(where, argument, text, what) -%}
{%- set items = text.split(',') | map('trim') | list -%}
{%- set items = items[:-1] if items | length > 1 and items[-1] == '' else items -%}
{%- if items | length > 1 and '' in items -%}
{%- do dbt_changelog.raise_invalid(where, argument, what ~ " '" ~ text ~ "' has an empty item",
    'remove the extra comma') -%}
{%- endif -%}
{{ return(items) }}
{%- endmacro %}
