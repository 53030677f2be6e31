{#-
  Of two different changes of one key and sequence the greatest, as winning_changes_sql takes it, of
  rows whose columns are not known. An UPDATE_BEFORE stays beside its UPDATE_AFTER.
-#}
{% macro greatest_changes_sql(plan, changes) -%}
select * except (_following)
from (
  select
    *,
    lead(struct(_sequence, _row_kind)) over (
      partition by {{ dbt_changelog.csv(plan.unique_key) }}
      order by
        _sequence,
        array_position(array({{ dbt_changelog.literals(dbt_changelog.row_kinds()) }}), _row_kind),
        {{ dbt_changelog.row_text_sql('_image.row') }}
    ) as _following
  from (
    {{ changes | indent(4) }}
  ) as change_images
) as ordered_changes
where _following is null
  or _following._sequence <> _sequence
  or (_row_kind = 'UPDATE_BEFORE' and _following._row_kind <> 'UPDATE_BEFORE')
{%- endmacro %}
