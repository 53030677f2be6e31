{#- Whether two rows as known_row_sql gives them differ; NULL equals NULL, NaN equals NaN. -#}
{% macro rows_differ_sql(ours, theirs) -%}
{%- set has_no_equality = 'typeof(' ~ ours ~ ".row) rlike 'map<|variant'" -%}
{%- set sides = [] -%}
{%- for side in [ours, theirs] -%}
{%- do sides.append('identifier(if(' ~ has_no_equality ~ ", '" ~ side ~ ".text', '" ~ side
                    ~ ".row'))") -%}
{%- endfor -%}
{{ return('not (' ~ sides | join(' <=> ') ~ ')') }}
{%- endmacro %}
