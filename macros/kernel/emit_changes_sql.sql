{#-
  Upserts and deletes -> the changelog of real changes: per key and in sequence order, each change
  against the row before it. An unseen key is an INSERT, an equal row is nothing, a deleted row is
  retracted with the image that it had.

  A row gives up to two: its own kind, and its image as what the next change of its key retracts.
  changes, has_state: as neighbours_sql takes them.
-#}
{% macro emit_changes_sql(plan, changes, has_state=false) -%}
select
  _row_kind,
  _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  * except (_row_kind, _sequence)
from (
  select
    * except (_row_kind, _sequence, _ordinal, _image_hash, _own_kind, _next_kind, _next_sequence,
              _part{{ ', _is_stored' if has_state }}),
    if(_part = 0, _own_kind, _next_kind) as _row_kind,
    if(_part = 0, _sequence, _next_sequence) as _sequence
  from (
    select *, explode(array(0, 1)) as _part
    from (
      {{ dbt_changelog.neighbours_sql(plan, changes, has_state) | indent(6) }}
    ) as neighbours
  ) as parts
) as emitted_changes
where _row_kind is not null
{%- endmacro %}
