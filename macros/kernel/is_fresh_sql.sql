{#- Whether the state has not seen a change: the rule of is_newer_sql, before the changelog is. -#}
{% macro is_fresh_sql(plan, place) -%}
{%- set newer = place ~ ' > _stored._place' -%}
{%- if plan.tie_handling == 'LAST' -%}
{{ return(newer) }}
{%- endif -%}
{%- set tie = "_sequence = _stored._place._sequence and _image_hash <> _stored._image_hash"
    ~ " and _row_kind <> 'UPDATE_BEFORE' and _stored._row_kind <> 'UPDATE_BEFORE'" -%}
{{ return('if(\n  ' ~ tie ~ ',\n  ' ~ dbt_changelog.tie_error_sql(plan, '', '_sequence')
          ~ ',\n  ' ~ newer ~ '\n)') }}
{%- endmacro %}
