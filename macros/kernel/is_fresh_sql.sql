{#-
  Whether the state has not seen a change: the rule of is_newer_sql, before the changelog is. Under
  LAST a change that leaves the same row and ranks higher goes into the state, and is no news.
-#}
{% macro is_fresh_sql(plan, place) -%}
{%- set effect = '_image_hash <> _stored._image_hash' -%}
{%- set differs = '_sequence = _stored._place._sequence and ' ~ effect -%}
{%- set outdated = dbt_changelog.is_outdated_sql(plan, '', '_stored.') -%}
{%- set newer = place ~ ' > _stored._place'
    ~ (' and (_sequence > _stored._place._sequence or ' ~ effect ~ ')'
       if plan.tie_handling == 'LAST')
    ~ (' or (' ~ differs ~ ' and ' ~ outdated ~ ')' if plan.since else '') -%}
{%- if plan.tie_handling == 'LAST' -%}
{{ return('(' ~ newer ~ ')' if plan.since else newer) }}
{%- endif -%}
{%- set tie = differs
    ~ " and _row_kind <> 'UPDATE_BEFORE' and _stored._row_kind <> 'UPDATE_BEFORE'"
    ~ (' and not (' ~ outdated ~ ')' if plan.since else '') -%}
{{ return('if(\n  ' ~ tie ~ ',\n  ' ~ dbt_changelog.tie_error_sql(plan, '', '_sequence')
          ~ ',\n  ' ~ newer ~ '\n)') }}
{%- endmacro %}
