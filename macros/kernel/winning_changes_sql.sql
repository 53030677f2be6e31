{#-
  One change per key and sequence: of equal sequences the one that last_write_wins would take, with
  the same error for a tie.

  An UPDATE_BEFORE counts only as the last change of its key: else the change after it says what
  became of the row. Where events carry their own before images (stateless) it stays beside its
  UPDATE_AFTER.
-#}
{% macro winning_changes_sql(plan, changes) -%}
{%- set order = (['_sequence'] + dbt_changelog.precedence_sql(plan)) | join(', ') -%}
select * except (_following)
from (
  select
    *,
    lead(struct(_sequence, _row_kind, _image_hash)) over (
      partition by {{ dbt_changelog.csv(plan.unique_key) }}
      order by {{ order }}{{ ', _image_hash' if plan.tie_handling == 'FAIL' }}
    ) as _following
  from (
    select *, {{ dbt_changelog.image_hash_sql(plan) }} as _image_hash
    from (
      {{ changes | indent(6) }}
    ) as changes
  ) as hashed_changes
) as ordered_changes
where _following is null
{%- if plan.state_backed %}
  or (_following._sequence <> _sequence and _row_kind <> 'UPDATE_BEFORE')
{%- else %}
  or _following._sequence <> _sequence
  or (_row_kind = 'UPDATE_BEFORE' and _following._row_kind <> 'UPDATE_BEFORE')
{%- endif %}
{%- if plan.tie_handling == 'FAIL' %}
  or if(
    _following._sequence = _sequence and _following._image_hash <> _image_hash
      and _row_kind <> 'UPDATE_BEFORE',
    {{ dbt_changelog.tie_error_sql(plan, '', '_sequence') }},
    false
  )
{%- endif %}
{%- endmacro %}
