{#-
  Where a table that has the model's name goes: none when there is no such table. Without
  --full-refresh it is an error, since its rows are not ours.
-#}
{% macro name_aside(plan, refresh) -%}
{%- set found = load_relation(plan.relations.contents) -%}
{%- if found is none or found.is_view -%}
{{ return(none) }}
{%- endif -%}
{%- set aside = plan.relations.contents.incorporate(
    path={'identifier': plan.relations.contents.identifier ~ '__before_changelog'}) -%}
{%- if not refresh -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'alias', 'the table ' ~ found
    ~ ' exists, and a model of this kind is a view over its state',
    'run with --full-refresh, which renames that table to ' ~ aside ~ ', or set another alias') -%}
{%- elif load_relation(aside) is not none -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'alias', 'the table ' ~ found
    ~ ' is in the way, and so is ' ~ aside ~ ', where it would go',
    'rename the one that is needed, or drop the one that is not') -%}
{%- endif -%}
{{ return(aside) }}
{%- endmacro %}
