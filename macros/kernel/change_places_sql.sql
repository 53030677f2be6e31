{#-
  Changes beside the state, each with its place: new to it, had by it (or losing to what it has, at
  one sequence), late, or a tie with what it has. changes: a relation with _image_hash. columns: of
  batch and state, to carry along.
-#}
{% macro change_places_sql(plan, changes, columns=[]) -%}
select
{%- for column in columns %}
  {{ column }},
{%- endfor %}
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
{%- endmacro %}
