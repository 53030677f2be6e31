{#-
  What is wrong with the events of a query: rows of problem, how many have it, and an example; up to
  five rows a problem. The row whose problem is NULL has the number of all events.
-#}
{% macro diagnose_events_sql(plan) -%}
{%- set key = dbt_changelog.csv(plan.unique_key) -%}
with {{ dbt_changelog.diagnose_changes_sql(plan) }},

problems as (
  select
    explode({{ dbt_changelog.diagnose_problems_sql(plan) | indent(4) }}) as problem,
    {{ dbt_changelog.event_text_sql(plan) }} as example
  from events
{%- for name in plan.unique_key if plan.images %}
  union all
  select
    {{ dbt_changelog.literal('key column ' ~ name ~ ' is NULL') }},
    {{ dbt_changelog.event_text_sql(plan) }}
  from images
  where {{ dbt_changelog.image_key_sql(plan, name) }} is null
{%- endfor %}
{%- for check in plan.partition_checks %}
  union all
  select
    {{ dbt_changelog.literal('a partition does not keep the value of column ' ~ check.name) }},
    to_json(struct({{ dbt_changelog.csv(plan.unique_key + [check.name]) }}))
  from changes
  where {{ check.sql }}
{%- endfor %}
{%- if plan.unique_key %}
  union all
  select
    'two different changes of one key have one sequence',
    to_json(struct({{ key }}, _sequence))
  from changes
  where _row_kind <> 'UPDATE_BEFORE'
  group by {{ key }}, _sequence
  having min(_image_hash) <> max(_image_hash)
{%- endif %}
)

select null as problem, count(*) as amount, null as example, 0 as place
from events
union all
select problem, amount, example, place
from (
  select
    *,
    count(*) over (partition by problem) as amount,
    row_number() over (partition by problem order by example) as place
  from problems
) as counted_problems
where place <= 5
order by problem nulls first, place
{%- endmacro %}
