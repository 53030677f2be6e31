{#- A table forgets its changes: of those since the last position none may be missing. -#}
{% macro check_feed_is_whole(where, relation, last, is_whole) -%}
{%- if not is_whole -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', relation ~ ' no longer has all its changes'
    ~ ' since ' ~ last.column ~ ' ' ~ last.get('snapshot', last.value)
    ~ ', up to which it was read',
    'run this model with --full-refresh: it appends the difference as one batch, and goes on'
    ~ ' from there; then run it oftener than the table forgets') -%}
{%- endif -%}
{%- endmacro %}
