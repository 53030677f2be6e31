{#- Op codes as row kinds. -#}

{#- The op code as its row kind, or exploded into its row kinds where an event can have several. -#}
{% macro row_kind_sql(plan, upserts_only) -%}
{%- set cases, counts = {}, [plan.moves] -%}
{%- for entry in plan.op_mapping -%}
{%- set kinds = dbt_changelog._kinds(plan, entry.kinds, upserts_only) -%}
{%- do cases.setdefault(kinds | join(', '), {'kinds': kinds, 'codes': []}) -%}
{%- do cases[kinds | join(', ')].codes.append(entry.code) -%}
{%- do counts.append(kinds | length != 1) -%}
{%- endfor -%}
{%- set explodes = true in counts -%}
{{ 'explode(' if explodes }}case
{%- for _, case in cases | dictsort %}
  when {{ dbt_changelog.op_sql(plan) }} in ({{ dbt_changelog.literals(case.codes) }}) then
    {{- ' ' ~ (dbt_changelog._kinds_sql(plan, case.kinds) if explodes
               else dbt_changelog.literal(case.kinds[0])) }}
{%- endfor %}
end{{ ')' if explodes }}
{%- endmacro %}

{#- The op code as a string: a boolean compares as 'true' and 'false'. -#}
{% macro op_sql(plan) -%}
{%- set column = dbt_changelog.quote(plan.op) -%}
{{ return(column if plan.op_type == 'string' else 'cast(' ~ column ~ ' as string)') }}
{%- endmacro %}

{#- The op codes that give one of these row kinds. -#}
{% macro codes_with(op_mapping, kinds) -%}
{%- set codes = [] -%}
{%- for entry in op_mapping if entry.kinds | select('in', kinds) | list -%}
{%- do codes.append(entry.code) -%}
{%- endfor -%}
{{ return(codes) }}
{%- endmacro %}

{#-
  Where only upserts count, the UPDATE_BEFORE of a group would lose to its UPDATE_AFTER anyway, and
  one alone that has no image says nothing.
-#}
{% macro _kinds(plan, kinds, upserts_only) -%}
{%- if not upserts_only -%}
{{ return(kinds) }}
{%- elif kinds == ['UPDATE_BEFORE'] and plan.images and plan.before is none -%}
{{ return([]) }}
{%- endif -%}
{{ return(['UPDATE_AFTER'] if kinds | length > 1 else kinds) }}
{%- endmacro %}

{#- An update that moves its row to another key is a delete there and an insert here. -#}
{% macro _kinds_sql(plan, kinds) -%}
{%- set found = 'array(' ~ dbt_changelog.literals(kinds) ~ ')' -%}
{{ return(dbt_changelog.call_sql(
    'if', [dbt_changelog._is_moved_sql(plan), "array('DELETE', 'INSERT')", found]) | indent(2)
    if plan.moves and 'UPDATE_AFTER' in kinds else found) }}
{%- endmacro %}

{#-
  Whether an event moved its row to another key. A before image that holds only what changed says
  nothing about the key columns that it lacks: they are as in the after image. The macro can't put
  those in, so there such an event is no move.
-#}
{% macro _is_moved_sql(plan) -%}
{%- set known, changed = [], [] -%}
{%- for name in plan.unique_key -%}
{%- set old = dbt_changelog.quote(plan.before) ~ '.' ~ dbt_changelog.quote(name) -%}
{%- set new = dbt_changelog.quote(plan.after) ~ '.' ~ dbt_changelog.quote(name) -%}
{%- do known.append(old ~ ' is not null') -%}
{%- do changed.append(old ~ ' <> ' ~ new) -%}
{%- endfor -%}
{%- set changed = 'coalesce(' ~ changed | join(', false) or coalesce(') ~ ', false)' -%}
{{ return(changed if plan.columns is not none
          else known | join(' and ') ~ ' and (' ~ changed ~ ')') }}
{%- endmacro %}
