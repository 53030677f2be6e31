{#- The op code as its row kind, or exploded into its row kinds where an event can have several. -#}
{% macro row_kind_sql(plan) -%}
{%- set kinds_of, counts = {}, [plan.moves] -%}
{%- for entry in plan.op_mapping -%}
{%- set kinds = dbt_changelog.emitted_kinds(plan, entry.kinds) -%}
{%- do kinds_of.setdefault(kinds | join(', '), {'kinds': kinds, 'codes': []}) -%}
{%- do kinds_of[kinds | join(', ')].codes.append(entry.code) -%}
{%- do counts.append(kinds | length != 1) -%}
{%- endfor -%}
{%- set explodes = true in counts -%}
{{ 'explode(' if explodes }}case
{%- for _, case in kinds_of | dictsort %}
  when {{ dbt_changelog.op_sql(plan) }} in ({{ dbt_changelog.literals(case.codes) }}) then
    {{- ' ' ~ (dbt_changelog._kinds_sql(plan, case.kinds) if explodes
               else dbt_changelog.literal(case.kinds[0])) }}
{%- endfor %}
end{{ ')' if explodes }}
{%- endmacro %}

{% macro _kinds_sql(plan, kinds) -%}
{%- set kinds_sql = 'array(' ~ dbt_changelog.literals(kinds) ~ ')' -%}
{%- if plan.moves and 'UPDATE_AFTER' in kinds -%}
{%- set kinds_sql = 'if(' ~ dbt_changelog.is_moved_sql(plan) ~ ", array('DELETE', 'INSERT'), "
    ~ kinds_sql ~ ')' -%}
{%- endif -%}
{{ return(kinds_sql) }}
{%- endmacro %}
