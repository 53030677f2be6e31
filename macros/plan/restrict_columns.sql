{#- The columns of a plan that a table has too, [{name, type}]; the others are as if not there. -#}
{% macro restrict_columns(plan, stored) -%}
{%- set names, restricted = stored | map(attribute='name') | list, {} -%}
{%- for part in ['payload', 'passthrough'] -%}
{%- set kept = [] -%}
{%- for name in plan[part] if dbt_changelog.find_name(name, names) is not none -%}
{%- do kept.append(name) -%}
{%- endfor -%}
{%- do restricted.update({part: kept}) -%}
{%- endfor -%}
{%- for part in ['compared', 'state_columns'] -%}
{%- set kept = [] -%}
{%- for column in plan[part] if dbt_changelog.find_name(column.name, names) is not none -%}
{%- do kept.append(column) -%}
{%- endfor -%}
{%- do restricted.update({part: kept}) -%}
{%- endfor -%}
{{ return(restricted) }}
{%- endmacro %}
