{#-
  One change per key and sequence, the rule of winning_changes_sql for rows whose columns are not
  known. An UPDATE_BEFORE stays beside its UPDATE_AFTER.
-#}
{% macro sole_changes_sql(plan, changes) -%}
{%- set live = ' in (' ~ dbt_changelog.literals(dbt_changelog.live_kinds()) ~ ')' -%}
{%- set order = ['_sequence', "_row_kind <> 'UPDATE_BEFORE'"] -%}
{%- if plan.tie_handling == 'LAST' -%}
{%- set kinds = dbt_changelog.literals(dbt_changelog.row_kinds()) -%}
{%- set order = ['_sequence', 'array_position(array(' ~ kinds ~ '), _row_kind)',
                 dbt_changelog.row_text_sql('_image.row')] -%}
{%- endif -%}
select * except (_following)
from (
  select
    *,
    lead(struct(_sequence, _row_kind, _image)) over (
      partition by {{ dbt_changelog.csv(plan.unique_key) }}
      order by {{ order | join(', ') }}
    ) as _following
  from (
    {{ changes | indent(4) }}
  ) as change_images
) as ordered_changes
where _following is null
  or _following._sequence <> _sequence
  or (_row_kind = 'UPDATE_BEFORE' and _following._row_kind <> 'UPDATE_BEFORE')
{%- if plan.tie_handling == 'FAIL' %}
  or if(
    _following._sequence = _sequence and _row_kind <> 'UPDATE_BEFORE' and (
      (_row_kind{{ live }}) <> (_following._row_kind{{ live }})
      or (
        _row_kind{{ live }}
        and {{ dbt_changelog.rows_differ_sql('_image', '_following._image') }}
      )
    ),
    {{ dbt_changelog.tie_error_sql(plan, '', '_sequence') }},
    false
  )
{%- endif %}
{%- endmacro %}
