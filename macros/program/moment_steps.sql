{#-
  A model of a consistent group: what its view shows until the others have come to the moment of
  this batch, and what shows it then.

  1. version of state: the state has the batch, in this version of its table.
  2. contents view: rows of the version before, if the group shows the moment before; of this one,
     if it shows this one. Both stand in the view, so that nothing has to be written into it when
     the group goes on.
  3. moment reached: one append to the table of the group. The last model's append makes the moment
     one that all have reached, and so changes what all views show: one commit.
  4. settled views: once it is shown, each view reads that version alone.

  A reader of two views reads the table of the group in one version, so it sees one moment. A view
  that has not this moment, since it was made anew meanwhile, is an error and not other rows.
-#}

{#- Step 1: before the view. -#}
{% macro version_steps(plan, batch) -%}
{%- if not dbt_changelog._reaches(batch) or not batch.writes -%}
{{ return([]) }}
{%- endif -%}
{{ return([{
  'name': 'version of state',
  'always': true,
  'sql': dbt_changelog.format_of(plan.storage.file_format).newest_version(batch.state),
  'finds': {'state_version': 'version'},
}]) }}
{%- endmacro %}

{#- Before the batch: what readers see of a model until the others have come. -#}
{% macro noted_moment_steps(plan, batch) -%}
{%- set moment = batch.moment -%}
{%- do return([]) if not moment or moment.notes is none -%}
{{ return([{
  'name': 'note moment',
  'sql': dbt_changelog._ready_sql(plan, batch, moment.shown, moment.notes),
}]) }}
{%- endmacro %}

{#- Steps 3 and 4: after the view. -#}
{% macro moment_steps(plan, batch) -%}
{%- set moment, group = batch.moment, plan.group -%}
{%- if not dbt_changelog._reaches(batch) or (moment.known and not batch.writes) -%}
{{ return([]) }}
{%- endif -%}
{%- set settled = dbt_changelog.create_view_sql(plan, dbt_changelog._contents_of_moments_sql(
    plan, batch.state, [dbt_changelog._new_candidate(batch, [moment.number])])) -%}
{{ return([{
  'name': 'moment reached',
  'always': true,
  'sql': dbt_changelog._ready_sql(plan, batch, moment.number,
    dbt_changelog._new_candidate(batch, []).version, settled),
}, {
  'name': 'settled views',
  'always': true,
  'sql': dbt_changelog._settled_sql(group, moment.number),
  'runs': 'statement',
  'may_fail': 'A view of the consistent group ' ~ group.name ~ ' still reads two versions of its'
    ~ ' state: {error}. What it shows is right, and the next run of its model mends it.',
}]) }}
{%- endmacro %}

{#- The contents of a model: in a group of the moment that is shown, else of the state as it is. -#}
{% macro contents_query(plan, batch, state) -%}
{%- set candidates, moment = [], batch.moment -%}
{%- if moment and moment.kept -%}
{%- do candidates.append(dict(moment.kept, moments=[moment.shown])) -%}
{%- endif -%}
{%- if dbt_changelog._reaches(batch) -%}
{%- do candidates.append(dbt_changelog._new_candidate(batch, ([] if candidates or moment.shown > 0
    else [0]) + [moment.number])) -%}
{%- endif -%}
{{ return(dbt_changelog._contents_of_moments_sql(plan, state, candidates) if candidates
          else dbt_changelog.kernel_of(plan.kernel).contents(plan, state)) }}
{%- endmacro %}

{#- Whether the state is at a moment of the group after this batch. -#}
{% macro _reaches(batch) -%}
{{ return(batch.moment and batch.moment.number is not none and batch.scenario != 'empty') }}
{%- endmacro %}

{#- The state after a batch, as a view may show it. version: found by then, if the batch writes. -#}
{% macro _new_candidate(batch, moments) -%}
{{ return({'moments': moments, 'columns': none,
           'version': '{state_version}' if batch.writes else batch.moment.found}) }}
{%- endmacro %}

{#- The contents at the moment that is shown: those of one version of the state. -#}
{% macro _contents_of_moments_sql(plan, state, candidates) -%}
{%- set moments, ctes, selects, kernel = [], [], [], dbt_changelog.kernel_of(plan.kernel) -%}
{%- for candidate in candidates -%}
{%- do moments.extend(candidate.moments) -%}
{%- set moment = candidate.moments[-1] | string -%}
{%- do ctes.append(dbt_changelog._rows_of_version_cte(plan, state, candidate)) -%}
{%- do ctes.append('at_moment_' ~ moment ~ ' as (\n  '
    ~ kernel.contents(plan, 'state_at_moment_' ~ moment) | indent(2) ~ '\n)') -%}
{%- do selects.append('select *\nfrom at_moment_' ~ moment) -%}
{%- endfor -%}
with {{ dbt_changelog._known_moment_ctes(plan, moments) }},

{{ ctes | join(',\n\n') }}

{{ selects | join('\nunion all\n') }}
{%- endmacro %}

{#- A state in one of its versions, if that is shown, with the columns that it lacked. -#}
{% macro _rows_of_version_cte(plan, state, candidate) -%}
{%- set items = ['*'] -%}
{%- for column in plan.state_columns if candidate.columns is not none
    and dbt_changelog.find_name(column.name, candidate.columns) is none -%}
{%- do items.append('cast(null as ' ~ column.type ~ ') as ' ~ dbt_changelog.quote(column.name)) -%}
{%- endfor -%}
state_at_moment_{{ candidate.moments[-1] }} as (
  select {{ items | join(', ') }}
  from {{ state }} version as of {{ candidate.version }}
  where (select moment from known_moment) in ({{ candidate.moments | join(', ') }})
)
{%- endmacro %}

{#- The moment that is shown, as CTEs: `known_moment`; an error if the view has none of it. -#}
{% macro _known_moment_ctes(plan, moments) -%}
{%- set error = dbt_changelog.raise_error_sql('The view ' ~ plan.relations.contents
    ~ " has no rows for the moment that its consistent group '" ~ plan.group.name ~ "' shows: the"
    ~ ' group went on while this query was planned, or the model joined it and the others have not'
    ~ ' come so far.\nTo fix: run the query again; if that does not help, run all models of the'
    ~ ' group.') -%}
{{ dbt_changelog.shown_moment_ctes(plan.group.table) }},

known_moment as (
  select if(moment in ({{ moments | join(', ') }}), moment, {{ error }}) as moment
  from shown_moment
)
{%- endmacro %}

{#- That a model has come to a moment, with a version of its state. -#}
{% macro _ready_sql(plan, batch, moment, version, settled=none) -%}
insert into {{ plan.group.table }} (
  {{ dbt_changelog.group_columns() | join(', ', attribute='name') }}
)
select
  'ready' as kind,
  cast({{ moment }} as bigint) as moment,
  {{ dbt_changelog.literal(plan.uid) }} as uid,
  cast({{ version }} as bigint) as version,
  array({{ dbt_changelog.literals(plan.group.members) }}) as members,
  cast(null as string) as log,
  cast(null as string) as position,
  {{ dbt_changelog.literal(batch.run) }} as run,
  current_timestamp() as at,
  {{ dbt_changelog.literal(settled) if settled else 'cast(null as string)' }} as view_text
{%- endmacro %}

{#- The views of all members, if this moment is shown and no later one was begun. -#}
{% macro _settled_sql(group, moment) -%}
with {{ dbt_changelog.shown_moment_ctes(group.table) }},

last_target as (
  select max(moment) as moment
  from {{ group.table }}
  where kind = 'target'
)

select max_by(view_text, at) as statement
from {{ group.table }}
where kind = 'ready'
  and view_text is not null
  and moment = {{ moment }}
  and uid in ({{ dbt_changelog.literals(group.members) }})
  and moment = (select moment from shown_moment)
  and moment = (select moment from last_target)
group by uid
order by uid
{%- endmacro %}
