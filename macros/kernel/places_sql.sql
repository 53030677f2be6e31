{#-
  How changes stand to the state: one row with the numbers of those that are new to it, that it has
  (or that lose to what it has, at one sequence), that are late, and that are a tie with what it
  has. changes: a relation with _image_hash.
-#}
{% macro places_sql(plan, changes) -%}
select
  count_if(place = 'new') as new_changes,
  count_if(place = 'duplicate') as duplicates,
  count_if(place = 'late') as late,
  count_if(place = 'tie') as ties
from (
  select
    case
      when state._sequence is null or batch._sequence > state._sequence then 'new'
      when batch._sequence < state._sequence then 'late'
      when batch._image_hash = {{ dbt_changelog.stored_hash_sql(plan, 'state.', as_read=true) }}
        or batch._row_kind = 'UPDATE_BEFORE' or state._row_kind = 'UPDATE_BEFORE' then 'duplicate'
      else 'tie'
    end as place
  from {{ changes }} as batch
  left join {{ plan.relations.state }} as state
    on {{ dbt_changelog.same_key_sql(plan) }}
) as places
{%- endmacro %}
