{#-
  The events in which nothing is wrong, decoded, as CTEs: `events`, `sound_events`, `images` (if
  there are images; a change whose key is NULL is still there) and `changes`, or with a key
  `hashed_changes`. What is wrong is a column of its own, since Spark would repeat a long condition
  for each column that is a part of it.
-#}
{% macro sound_changes_ctes(plan) -%}
{%- set replaces = dbt_changelog._replaces_rows(plan) -%}
{{ dbt_changelog.events_ctes(plan, plan.query) }},

checked_events as (
  select
    *,
    size({{ dbt_changelog.event_problems_sql(plan) | indent(4) }}) as _dbtc_problems
  from events
),

sound_events as (
  select * except (_dbtc_problems)
  from {{ dbt_changelog.every_row_sql('checked_events') }}
  where _dbtc_problems = 0
),

{{ dbt_changelog.decode_ctes(plan, 'sound_events', upserts_only=replaces,
                             raises=false) }}
{%- if replaces %},

{{ dbt_changelog.image_hashes_cte(plan) }}
{%- endif -%}
{%- endmacro %}

{#- Whether a change replaces the row of its key, so that two of one sequence are a tie. -#}
{% macro _replaces_rows(plan) -%}
{{ return(not dbt_changelog.kernel_of(plan.kernel).counts_events) }}
{%- endmacro %}

{#-
  What is wrong with the events of a query: rows of problem, how many have it, and an example; up to
  five rows a problem. The row whose problem is NULL has the number of all events.
-#}
{% macro count_problems_sql(plan) -%}
{%- set replaces = dbt_changelog._replaces_rows(plan) -%}
{%- set changes = 'hashed_changes' if replaces else 'changes' -%}
{%- set is_text = plan.wire and plan.wire.schema -%}
{%- set truncates = dbt_changelog.codes_with(plan.op_mapping, ['TRUNCATE']) -%}
{%- set decodes = replaces or is_text or plan.partition_checks
    or (plan.unique_key and plan.images) -%}
with {{ dbt_changelog.sound_changes_ctes(plan) if decodes
        else dbt_changelog.events_ctes(plan, plan.query) }},
{% if replaces %}
{{ dbt_changelog.tied_changes_cte(plan, 'hashed_changes') }},
{% endif %}
problems as (
  select
    explode({{ dbt_changelog.event_problems_sql(plan) | indent(4) }}) as problem,
    {{ dbt_changelog.event_text_sql(plan) }} as example
  from events
{%- for name in plan.unique_key if plan.images %}
  union all
  select
    {{ dbt_changelog.literal('key column ' ~ name ~ ' is NULL') }},
    {{ dbt_changelog.event_text_sql(plan) }}
  from images
  where {{ dbt_changelog.image_key_sql(plan, name) }} is null
{{- " and _row_kind <> 'TRUNCATE'" if truncates }}
{%- endfor %}
{%- for check in plan.partition_checks %}
  union all
  select
    {{ dbt_changelog.literal('a partition does not keep the value of column ' ~ check.name) }},
    to_json(struct({{ dbt_changelog.csv(plan.unique_key + [check.name]) }}))
  from {{ changes }}
  where {{ check.sql }}
{%- endfor %}
{%- if replaces %}
  union all
  select 'two different changes of one key have one sequence', example
  from tied_changes
{%- endif %}
{%- if is_text %}
  union all
  {{ dbt_changelog._columns_never_set_sql(plan, changes) | indent(2) }}
{%- endif %}
),

counted_problems as (
  select
    *,
    count(*) over (partition by problem) as amount,
    row_number() over (partition by problem order by example) as place
  from problems
)

select null as problem, count(*) as amount, null as example, 0 as place
from events
union all
select problem, amount, example, place
from counted_problems
where place <= 5
order by problem nulls first, place
{%- endmacro %}

{#- The columns of a row as text that no change has: their name may be written in another case. -#}
{% macro _columns_never_set_sql(plan, input) -%}
{%- set problems = [] -%}
{%- for name in plan.payload if name != plan.soft_delete -%}
{%- do problems.append('if(count(*) > 0 and count(' ~ dbt_changelog.quote(name) ~ ') = 0, '
    ~ dbt_changelog.literal('column ' ~ name ~ ' is NULL in all events (names in JSON are'
    ~ ' case-sensitive)') ~ ', null)') -%}
{%- endfor -%}
select
  explode(array_compact(array(
    {{ problems | join(',\n    ') }}
  ))),
  max(to_json(struct({{ dbt_changelog.csv(plan.payload) }})))
from {{ input }}
{%- endmacro %}

{#-
  The keys and sequences that have two different changes, and in which columns these differ, as
  text, as a CTE: -> `tied_changes`. input: a relation with _image_hash. A row that is there and one
  that is gone differ in nothing but that; two that are there only in what both have sent.
-#}
{% macro tied_changes_cte(plan, input, also=none) -%}
{%- set live, unsent = dbt_changelog.is_live_sql(), {} -%}
{%- for column in plan.get('partial') or [] -%}
{%- do unsent.update({column.name: column.unsent}) -%}
{%- endfor -%}
{%- set differ = ["if(count(distinct " ~ live ~ ") > 1, '_row_kind', null)"] -%}
{%- for column in plan.compared -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- set is_sent = live ~ (' and not (' ~ unsent[column.name] ~ ')' if column.name in unsent) -%}
{%- set hash = 'if(' ~ is_sent ~ ', xxhash64(isnull(' ~ name ~ '), '
    ~ dbt_changelog.hashable_sql(name, column) ~ '), null)' -%}
{%- do differ.append('if(min(' ~ hash ~ ') <> max(' ~ hash ~ '), '
    ~ dbt_changelog.literal(column.name) ~ ', null)') -%}
{%- endfor -%}
tied_changes as (
  select
    concat(
      to_json(struct({{ dbt_changelog.csv(plan.unique_key) }}, _sequence)),
      ' differ in: ',
      concat_ws(', ', {{ differ | join(',\n        ') }})
    ) as example
  from {{ input }}
  where _row_kind <> 'UPDATE_BEFORE'
  group by {{ dbt_changelog.csv(plan.unique_key) }}, _sequence
  having min(_image_hash) <> max(_image_hash)
{%- if unsent %}
    and concat_ws('', {{ differ | join(',\n        ') }}) <> ''
{%- endif %}
{{- '\n    and ' ~ also if also }}
)
{%- endmacro %}
