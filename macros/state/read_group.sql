{#-
  What a consistent group remembers, in one small table: `dbt_changelog_group_<name>`.

  kind 'target': one row, the moment that its models go to: its number, the position in the log, and
  the run that decided it. kind 'ready': a row for each model that has come to a moment, with the
  version of its state there, all members of the group then, and the statement that makes its view
  show that moment alone. A moment counts once its members are ready: the last of these appends is
  the commit of the group.
-#}

{#-
  What a group remembers now: {shown, target, ready}. shown: the moment that its views show, 0
  before the first; target: {moment, log, position, run}, position none before the first; ready:
  {uid: {moment: {version, members}}}, the last of each.
-#}
{% macro read_group(where, group) -%}
{%- if not dbt_changelog.table_exists(group.table) -%}
{%- do dbt_changelog.raise_invalid(where, 'consistent_group', 'the table ' ~ group.table
    ~ ', which keeps what the group shows, is not there',
    'run the models with dbt run or dbt build, whose start makes it (the on-run-start hook of this'
    ~ ' package); if it was dropped, the next run begins the group anew') -%}
{%- endif -%}
{%- do run_query('refresh table ' ~ group.table) -%}
{%- set ready, shown = {}, [0] -%}
{%- set target = {'moment': 0, 'log': none, 'position': none, 'run': none} -%}
{%- for row in run_query(dbt_changelog._group_sql(group.table)).rows -%}
{%- do shown.append(row['shown'] | int) -%}
{%- if row['kind'] == 'target' and row['moment'] | int > target.moment -%}
{%- do target.update({'moment': row['moment'] | int, 'log': row['log'],
                      'position': fromjson(row['position']), 'run': row['run']}) -%}
{%- elif row['kind'] == 'ready' -%}
{%- do ready.setdefault(row['uid'], {}).update({row['moment'] | int:
    {'version': row['version'] | int, 'members': fromjson(row['members'])}}) -%}
{%- endif -%}
{%- endfor -%}
{{ return({'shown': shown | max, 'target': target, 'ready': ready}) }}
{%- endmacro %}

{% macro _group_sql(table) -%}
with {{ dbt_changelog.shown_moment_ctes(table) }}

select
  kind,
  cast(moment as string) as moment,
  uid,
  cast(version as string) as version,
  to_json(members) as members,
  log,
  position,
  run,
  cast((select moment from shown_moment) as string) as shown
from {{ table }}
order by at
{%- endmacro %}

{#- The table of a group, beside the tables of its models. -#}
{% macro group_relation(schema, name) -%}
{{ return(api.Relation.create(schema=schema, identifier='dbt_changelog_group_' ~ name | lower,
                              type='table')) }}
{%- endmacro %}

{#- The columns of the table of a group: [{name, type}]. -#}
{% macro group_columns() -%}
{{ return([
  {'name': 'kind', 'type': 'string'},
  {'name': 'moment', 'type': 'bigint'},
  {'name': 'uid', 'type': 'string'},
  {'name': 'version', 'type': 'bigint'},
  {'name': 'members', 'type': 'array<string>'},
  {'name': 'log', 'type': 'string'},
  {'name': 'position', 'type': 'string'},
  {'name': 'run', 'type': 'string'},
  {'name': 'at', 'type': 'timestamp'},
  {'name': 'view_text', 'type': 'string'},
]) }}
{%- endmacro %}

{#-
  The last moment of a group whose members are all ready, as CTEs: the last is `shown_moment`, one
  row; 0 before the first. Members may join and leave: the moment counts once all are ready that
  one of them knew of, and goes on to count.
-#}
{% macro shown_moment_ctes(table) -%}
ready_moments as (
  select
    moment,
    collect_set(uid) as uids,
    collect_set(members) as lists
  from {{ table }}
  where kind = 'ready'
  group by moment
),

shown_moment as (
  select coalesce(max(moment), 0) as moment
  from ready_moments
  where exists(lists, list -> size(array_except(list, uids)) = 0)
)
{%- endmacro %}
