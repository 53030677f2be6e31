{#-
  When the batch's row is to replace the state's: its sequence is greater, or it wins the tie.

  Delta evaluates conditions on unmatched rows with NULL columns: the error must stand in the
  branch of an equality, in the first condition and nowhere else.
-#}
{% macro is_newer_sql(plan) -%}
{%- set same = 'batch._sequence = state._sequence' -%}
{%- set differs = 'batch._image_hash <> state._image_hash' -%}
{%- set newer = 'batch._sequence > state._sequence' -%}
{%- set ours = dbt_changelog.precedence_sql(plan, 'batch.') | join(', ') -%}
{%- set theirs = dbt_changelog.precedence_sql(plan, 'state.') | join(', ') -%}
{%- if ours -%}
{%- set newer = newer ~ '\n    or (' ~ same ~ ' and ' ~ differs
    ~ ' and struct(' ~ ours ~ ') > struct(' ~ theirs ~ '))' -%}
{%- endif -%}
{%- if plan.tie_handling == 'LAST' -%}
{{ return(newer) }}
{%- endif -%}
{%- set tie = same ~ ' and ' ~ differs -%}
{%- if plan.has_update_before -%}
{%- set tie = tie ~ " and batch._row_kind <> 'UPDATE_BEFORE'"
    ~ " and state._row_kind <> 'UPDATE_BEFORE'" -%}
{%- endif -%}
{{ return('if(\n    ' ~ tie ~ ',\n    '
          ~ dbt_changelog.tie_error_sql(plan, 'batch.', 'batch._sequence')
          ~ ',\n    ' ~ newer ~ '\n  )') }}
{%- endmacro %}
