{#-
  What a batch of a model in a consistent group has to know of the group (moment_steps), asked once:
  {number, shown, kept, notes, found, known}; none without a group.

  number: the moment that the model comes to with this batch, none if it ends elsewhere; shown: the
  one that readers see, 0 before the first; kept: {version, columns} of the state that they see of
  this model, none if they see none or are to see this batch at once; notes: the version to be noted
  as that, none if it is: of a model that joins, or -1, none, of one whose state was lost; found:
  the version that the state has before the run; known: whether the group knows that this version
  is that moment.
-#}
{% macro next_moment(plan, found, batch) -%}
{%- set shows_plan = flags.WHICH == 'run-operation' -%}
{%- if not plan.get('group')
    or (shows_plan and not dbt_changelog.table_exists(plan.group.table)) -%}
{{ return(none) }}
{%- endif -%}
{%- set record = dbt_changelog.read_group(plan.where, plan.group) -%}
{%- set target, shown = record.target, record.shown -%}
{%- set own = record.ready.get(plan.uid, {}) -%}
{%- do dbt_changelog._check_joined(plan, found, batch) -%}
{%- set version = dbt_changelog._newest_version(plan) if found.state is not none else none -%}
{%- set ends_there = target.position is not none and not dbt_changelog.reads_nothing()
    and batch.position.get(target.log) == target.position -%}
{%- set number = target.moment if ends_there else none -%}
{#- what it showed last: at the moment that is shown, before the first one, before it joined -#}
{%- set joins = found.log and batch.last.id > 0 and not own | select('ge', shown) | list -%}
{%- set seen = own.get(shown) or (own[own | max] if own and shown == 0 else none)
    or ({'version': version} if joins else none) -%}
{%- set is_lost = own.get(shown) and found.state is none -%}
{%- set kept = dbt_changelog._kept_version(plan, none if is_lost else seen)
    if number != shown else none -%}
{%- set ready = own.get(number) or {} -%}
{{ return({
  'number': number,
  'shown': shown,
  'kept': kept,
  'notes': none if number is none or shown in [0, number] else -1 if is_lost
    else version if joins else none,
  'found': version,
  'known': ready != {} and ready.version == version and ready.members == plan.group.members,
}) }}
{%- endmacro %}

{#- A version that is shown, {version, columns}; none where the table has it no more. -#}
{% macro _kept_version(plan, seen) -%}
{%- set columns = dbt_changelog.try_describe('select * from ' ~ plan.relations.state
    ~ ' version as of ' ~ seen.version).columns if seen and seen.version >= 0 else none -%}
{{ return({'version': seen.version, 'columns': columns | map(attribute='name') | list}
          if columns else none) }}
{%- endmacro %}

{#- The version that a state has now: what it is asked by depends on its format. -#}
{% macro _newest_version(plan) -%}
{%- set row = run_query(dbt_changelog.format_of(plan.storage.file_format)
    .newest_version(plan.relations.state)).rows[0] -%}
{{ return(row['version'] | int) }}
{%- endmacro %}

{#- A model of a group reads its log and nothing else by position, into a state of one format. -#}
{% macro _check_joined(plan, found, batch) -%}
{%- set read = dbt_changelog.read_ranges(plan.query) | list -%}
{%- if read | length > 1 -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'consistent_group', 'the query has new_rows of '
    ~ read | join(' and ') ~ ', and a group has one log',
    'read one of them with new_rows, or leave the group') -%}
{%- elif found.log and batch.get('state', plan.relations.state) != plan.relations.state -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'file_format', 'a full refresh into another format'
    ~ ' makes another table, and the view of a consistent group reads older versions of this one',
    'leave the group for one run, which can change the format, and join it again then') -%}
{%- endif -%}
{%- endmacro %}
