{#-
  Whether an event moved its row to another key. A before image that holds only what changed says
  nothing about the key columns that it lacks: they are as in the after image. The macro can't put
  those in, so there such an event is no move.
-#}
{% macro is_moved_sql(plan) -%}
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
