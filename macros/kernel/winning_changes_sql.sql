{#-
  One change per key and sequence: of equal sequences the one that last_write_wins would take, with
  the same error for a tie.

  An UPDATE_BEFORE counts only as the last change of its key: else the change after it says what
  became of the row. Where events carry their own before images (stateless) it stays beside its
  UPDATE_AFTER.

  Windows have no names, here and elsewhere: Spark does not know them in a view of an Iceberg
  catalog.
-#}
{% macro winning_changes_sql(plan, changes) -%}
{%- set order = (['_sequence'] + dbt_changelog.precedence_sql(plan)) | join(', ') -%}
{%- set by_sequence = 'partition by ' ~ dbt_changelog.csv(plan.unique_key) ~ ' order by ' ~ order
    ~ (', _image_hash' if plan.tie_handling == 'FAIL' else '') -%}
{%- set following = ['_sequence'] + (['_row_kind'] if not plan.state_backed else [])
    + (['_image_hash'] if plan.tie_handling == 'FAIL' else []) -%}
select * except (_following{{ following | join(', _following') }})
from (
  select
    *,
{%- for name in following %}
    lead({{ name }}) over ({{ by_sequence }}) as _following{{ name }}{{ ',' if not loop.last }}
{%- endfor %}
  from (
    select *, {{ dbt_changelog.image_hash_sql(plan) }} as _image_hash
    from (
      {{ changes | indent(6) }}
    ) as changes
  ) as hashed_changes
) as ordered_changes
where _following_sequence is null
{%- if plan.state_backed %}
  or (_following_sequence <> _sequence and _row_kind <> 'UPDATE_BEFORE')
{%- else %}
  or _following_sequence <> _sequence
  or (_row_kind = 'UPDATE_BEFORE' and _following_row_kind <> 'UPDATE_BEFORE')
{%- endif %}
{%- if plan.tie_handling == 'FAIL' %}
  or if(
    _following_sequence = _sequence and _following_image_hash <> _image_hash
      and _row_kind <> 'UPDATE_BEFORE',
    {{ dbt_changelog.tie_error_sql(plan, '', '_sequence') }},
    false
  )
{%- endif %}
{%- endmacro %}
