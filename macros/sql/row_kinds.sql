{#- The four row kinds, and what each says of its row. -#}

{#- In the order in which they win at equal sequence. -#}
{% macro row_kinds() -%}
{{ return(['UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER']) }}
{%- endmacro %}

{#- The row kinds that leave a row. -#}
{% macro live_kinds() -%}
{{ return(['INSERT', 'UPDATE_AFTER']) }}
{%- endmacro %}

{#- Whether a change leaves a row. side: where it stands, with a dot. -#}
{% macro is_live_sql(side='') -%}
{{ return(side ~ '_row_kind in (' ~ dbt_changelog.literals(dbt_changelog.live_kinds()) ~ ')') }}
{%- endmacro %}

{#- The place of a row kind in the order in which they win. -#}
{% macro kind_rank_sql(side='') -%}
{{ return('array_position(array(' ~ dbt_changelog.literals(dbt_changelog.row_kinds()) ~ '), '
          ~ side ~ '_row_kind)') }}
{%- endmacro %}

{#- What a change adds to the number of its rows. -#}
{% macro weight_sql() -%}
{{ return('if(' ~ dbt_changelog.is_live_sql() ~ ', 1, -1)') }}
{%- endmacro %}

{#- The ordinal of a change: UPDATE_AFTER stands behind its UPDATE_BEFORE. -#}
{% macro ordinal_sql() -%}
{{ return("if(_row_kind = 'UPDATE_AFTER', 1, 0)") }}
{%- endmacro %}

{#- The row kinds that an op mapping has. -#}
{% macro mapped_kinds(op_mapping) -%}
{%- set kinds = [] -%}
{%- for entry in op_mapping -%}
{%- do kinds.extend(entry.kinds) -%}
{%- endfor -%}
{{ return(kinds | unique | list) }}
{%- endmacro %}

{#- Whether a code gives UPDATE_BEFORE and nothing else: only then is it a change of its own. -#}
{% macro has_lone_update_before(op_mapping) -%}
{{ return(op_mapping | selectattr('kinds', 'equalto', ['UPDATE_BEFORE']) | list | length > 0) }}
{%- endmacro %}

{#- What orders the changes of a key: by batch, where the changelog has them, then as they came. -#}
{% macro change_order_sql(names) -%}
{%- set batch = ['_batch_id'] if dbt_changelog.find_name('_batch_id', names) else [] -%}
{{ return((batch + ['_sequence', '_ordinal', dbt_changelog.kind_rank_sql()]) | join(', ')) }}
{%- endmacro %}
