{#-
  Whether an event moved its row to another key. A before image that lacks a key column holds only
  what changed: it says nothing about the key.
-#}
{% macro is_moved_sql(plan) -%}
{%- set known, same = [], [] -%}
{%- for name in plan.unique_key -%}
{%- set old = dbt_changelog.quote(plan.before) ~ '.' ~ dbt_changelog.quote(name) -%}
{%- set new = dbt_changelog.quote(plan.after) ~ '.' ~ dbt_changelog.quote(name) -%}
{%- do known.append(old ~ ' is not null') -%}
{%- do same.append(old ~ ' <=> ' ~ new) -%}
{%- endfor -%}
{{ return(known | join(' and ') ~ ' and not (' ~ same | join(' and ') ~ ')') }}
{%- endmacro %}
