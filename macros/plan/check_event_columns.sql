{#-
  No two columns of the events may have one name; in a macro the columns of the row are known to
  Spark only.
-#}
{% macro check_event_columns(plan) -%}
{%- set taken = ['_sequence', '_ordinal'] + ([] if plan.images
    else plan.get('payload', plan.unique_key)) -%}
{%- set names = [['op', plan.op]] -%}
{%- for side in ['before', 'after'] if plan[side] and not (side == 'after' and plan.one_image) -%}
{%- do names.append([side, plan[side]]) -%}
{%- endfor -%}
{%- for name in plan.passthrough -%}
{%- do names.append(['passthrough', name]) -%}
{%- endfor -%}
{%- for argument, name in names -%}
{%- if dbt_changelog.find_name(name, taken) is not none -%}
{%- do dbt_changelog.raise_invalid(plan.where, argument,
    "the events would have two columns '" ~ name ~ "'",
    'give one of them another name') -%}
{%- endif -%}
{%- do taken.append(name) -%}
{%- endfor -%}
{%- endmacro %}
