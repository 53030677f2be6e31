{#- What is counted of changes beside the state, without a write. -#}

{#- How many keys a batch would change, from its query, unstaged. -#}
{% macro count_newer_values_sql(plan, batch) -%}
with {{ dbt_changelog.sent_changes_ctes(plan, batch) }},

{{ dbt_changelog.settled_rows_ctes(plan, batch) }},

{{ dbt_changelog.outcome_of_values_cte(plan) }}

select count(*) as newer_rows
from outcome
where _dbtc_is_written
{%- endmacro %}

{#- The late and the repeated changes among those that a batch brought (count_late_sql). -#}
{% macro count_late_values_sql(plan, batch) -%}
with {{ dbt_changelog.sent_changes_ctes(plan, batch) }},

{{ dbt_changelog.value_places_cte(plan, 'sent_changes', ['change._dbtc_arrived',
                                                          'state._batch_id']) }}

{{ dbt_changelog.count_arrived_sql(batch) }}
{%- endmacro %}

{#- How the changes of a query in which nothing is wrong stand to the state, as one row. -#}
{% macro count_value_places_sql(plan) -%}
with {{ dbt_changelog.sound_changes_ctes(plan) }},

{{ dbt_changelog.value_places_cte(plan, 'hashed_changes') }}

{{ dbt_changelog.count_standing_sql() }}
{%- endmacro %}

{#-
  Changes beside the state, each with its place, as a CTE: -> `places`. A late one may still set a
  value that shows. stored: where the state's row of each key stands, if not in the state.
-#}
{% macro value_places_cte(plan, input, columns=[], stored=none) -%}
places as (
  select
{%- for column in columns %}
    {{ column }},
{%- endfor %}
    case
{%- if plan.truncates %}
      when change._sequence <= (
        select max(_sequence)
        from {{ plan.relations.state }}
        where {{ dbt_changelog.quote(plan.unique_key[0]) }} is null
      ) then 'late'
{%- endif %}
      when state._sequence is null or change._sequence > state._sequence then 'new'
      when change._sequence < state._sequence then 'late'
      else 'duplicate'
    end as place
  from {{ input }} as change
  left join {{ stored or plan.relations.state }} as state
    on {{ dbt_changelog.same_key_sql(plan) }}
{{- "\n  where change._row_kind <> 'TRUNCATE'" if plan.truncates }}
)
{%- endmacro %}

{#- How many values of the rows that a batch wrote no event has sent, as an aggregate. -#}
{% macro unknown_values_sql(plan) -%}
{%- set terms = [] -%}
{%- for column in plan.partial -%}
{%- do terms.append('int(isnull(_sequences.' ~ dbt_changelog.quote(column.name) ~ '))') -%}
{%- endfor -%}
{{ return('coalesce(sum(' ~ terms | join(' + ') ~ ') filter (\n    where '
          ~ dbt_changelog.is_live_sql() ~ '\n  ), 0)') }}
{%- endmacro %}
