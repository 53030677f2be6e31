{#-
  The staged changes that the state has not seen, and per key the row that it has (_is_stored): what
  the first of them is compared with. Without a state all are fresh.
-#}
{% macro fresh_changes_sql(plan, has_state) -%}
{%- set names = dbt_changelog.csv(plan.payload + plan.passthrough) -%}
{%- set place = (['_sequence'] + dbt_changelog.precedence_sql(plan)) | join(', ') -%}
{%- set place = 'struct(' ~ place ~ ')' -%}
{%- set winners = dbt_changelog.winning_changes_sql(plan, 'select * from '
    ~ plan.relations.changes) -%}
{%- if not has_state -%}
{{ winners }}
{%- else -%}
select * except (_stored)
from (
  select
    *,
    max(if(_is_stored, struct({{ place }} as _place, _row_kind,
        {{ '_read_hash as _image_hash, _batch_id' if plan.since else '_image_hash' }}
      ), null)) over (
      partition by {{ dbt_changelog.csv(plan.unique_key) }}
    ) as _stored
  from (
    select {{ names }}, _row_kind, _sequence, _ordinal, _image_hash,
      false as _is_stored
      {{- ', null as _read_hash, null as _batch_id' if plan.since }}
    from (
      {{ winners | indent(6) }}
    ) as winners
    union all
    {{ dbt_changelog.stored_rows_sql(plan) | indent(4) }}
  ) as changes_and_state
) as placed_changes
where _is_stored or _stored is null or {{ dbt_changelog.is_fresh_sql(plan, place) }}
{%- endif -%}
{%- endmacro %}
