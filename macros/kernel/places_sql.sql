{#- How changes stand to the state: one row with how many have each place (change_places_sql). -#}
{% macro places_sql(plan, changes) -%}
select
  count_if(place = 'new') as new_changes,
  count_if(place = 'duplicate') as duplicates,
  count_if(place = 'late') as late,
  count_if(place = 'tie') as ties
from (
  {{ dbt_changelog.change_places_sql(plan, changes) | indent(2) }}
) as places
{%- endmacro %}
