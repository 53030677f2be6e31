{#- Without a key each event counts: none is read twice, unless all are read and counted anew. -#}
{% macro check_keyless_read(plan) -%}
{%- if plan.counts_events and plan.read.mode == 'column' and not plan.read.strict -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'read',
    'without unique_key each event counts, and ' ~ plan.read.column
      ~ ' is read again at its last position',
    "if no row arrives later with a value at or below the greatest, write read={'column': '"
      ~ plan.read.column ~ "', 'strict': true}; else read='full', or set unique_key") -%}
{%- elif plan.counts_events and plan.read.mode == 'full' and plan.changelog -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog',
    "without unique_key a changelog needs a position, and read='full' has none",
    "write read={'column': .., 'strict': true}, or set unique_key") -%}
{%- endif -%}
{%- endmacro %}
