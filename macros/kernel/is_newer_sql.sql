{#-
  When the batch's row is to replace the state's: its sequence is greater, or it wins at the same
  one. Under FAIL two different effects at one sequence are an error; UPDATE_BEFORE only loses.

  Delta evaluates conditions on unmatched rows with NULL columns: the error must stand in the
  branch of an equality, in the first condition and nowhere else.
-#}
{% macro is_newer_sql(plan) -%}
{%- set same, newer = 'batch._sequence = state._sequence', 'batch._sequence > state._sequence' -%}
{%- set ours = dbt_changelog.precedence_sql(plan, 'batch.') | join(', ') -%}
{%- set theirs = dbt_changelog.precedence_sql(plan, 'state.') | join(', ') -%}
{%- set ways = [newer] -%}
{%- do ways.append(same ~ ' and struct(' ~ ours ~ ') > struct(' ~ theirs ~ ')') if ours -%}
{%- set differs = same ~ ' and batch._image_hash <> '
    ~ dbt_changelog.stored_hash_sql(plan, 'state.', as_read=true) -%}
{%- set outdated = dbt_changelog.is_outdated_sql(plan, 'batch.', 'state.') -%}
{%- do ways.append(differs ~ ' and ' ~ outdated) if plan.since -%}
{%- set newer = newer if ways | length == 1 else '(' ~ ways | join('\n    or ') ~ ')' -%}
{%- if plan.tie_handling == 'LAST' -%}
{{ return(newer) }}
{%- endif -%}
{%- set tie = differs ~ (' and not (' ~ outdated ~ ')' if plan.since else '') -%}
{%- if plan.has_update_before -%}
{%- set tie = tie ~ "\n      and batch._row_kind <> 'UPDATE_BEFORE'"
    ~ " and state._row_kind <> 'UPDATE_BEFORE'" -%}
{%- endif -%}
{{ return('if(\n    ' ~ tie ~ ',\n    '
          ~ dbt_changelog.tie_error_sql(plan, 'batch.', 'batch._sequence')
          ~ ',\n    ' ~ newer ~ '\n  )') }}
{%- endmacro %}
