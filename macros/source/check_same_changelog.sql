{#- A changelog or a table that was made anew says again what its consumer has read of the old. -#}
{% macro check_same_changelog(where, changelog, last, next) -%}
{%- if last is not none and (last.born != next.born or last.value | int > next.value | int) -%}
{%- do dbt_changelog.raise_invalid(where, 'changes', 'the table ' ~ changelog
    ~ ' was dropped and made anew since ' ~ next.column | replace('_batch_id', 'batch') ~ ' '
    ~ last.value ~ ' of it was read',
    'run this model with --full-refresh: it appends the difference as one batch, and goes on from'
    ~ ' there') -%}
{%- endif -%}
{%- endmacro %}
