{#- A position is of one column: by another one, rows that were read would be read again. -#}
{% macro check_same_column(where, last, next) -%}
{%- if last is not none and (last.column != next.column or last.type != next.type) -%}
{%- do dbt_changelog.raise_invalid(where, 'read', 'its column is ' ~ next.column ~ ', '
    ~ next.type ~ ', but the state was read up to a position of ' ~ last.column ~ ', ' ~ last.type,
    'set it back, or run with --full-refresh to build the state anew from all that the source'
    ~ ' still has') -%}
{%- endif -%}
{%- endmacro %}
