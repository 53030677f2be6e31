{#-
  A plan whose query has other columns than the tables -> {plan, steps, warns}: a new plan that the
  tables can follow, the steps that alter them before a batch is written, and what a run has to warn
  of, if anything (run_program); or an error. The plan that is given stays as it is.

  stored: {log, state, changelog, row}: the batch log, and the columns of the tables that are there,
  [{name, type, parts}], else none; row: those of the rows of an event table.
-#}
{% macro evolve_plan(plan, batch) -%}
{%- set stored = batch.stored -%}
{%- set plan = dict(plan, compacted=dbt_changelog._compacted(stored.log, batch))
    if dbt_changelog.kernel_of(plan.kernel).appends else plan -%}
{#- a table keeps the partitions that it was made with -#}
{%- set is_event_table = plan.function == 'to_changelog' -%}
{%- set plan = dict(plan, partition_checks=dbt_changelog.partition_checks(
    plan, ([{'name': plan.op, 'type': 'string'}] if is_event_table else []) + plan.state_columns,
    stored.get('partitions'))) if stored.log and not batch.creates else plan -%}
{%- if stored.log is none -%}
{{ return({'plan': plan, 'steps': []}) }}
{%- elif is_event_table -%}
{{ return({'plan': plan, 'steps': []} if batch.creates or batch.scenario == 'empty'
    else dbt_changelog._evolve_events(plan, stored)) }}
{%- elif batch.scenario == 'empty' -%}
{{ return({'plan': dbt_changelog.merged(plan, dbt_changelog.restricted(plan, stored.state)),
           'steps': []}) }}
{%- elif batch.creates -%}
{#- what the changelog has, and says again, need not fit into a narrower type -#}
{%- set narrower = dbt_changelog.column_changes(plan, stored.changelog).narrower
    if plan.changelog and stored.changelog is not none else [] -%}
{%- set lifted = dbt_changelog.merged(plan, dbt_changelog._lifted(plan, narrower)) -%}
{{ return({'plan': lifted, 'steps': dbt_changelog._alter_changelog(lifted, batch)}) }}
{%- endif -%}
{{ return(dbt_changelog._evolve_state(plan, stored, batch)) }}
{%- endmacro %}

{#- The batch up to which the state has one row a key, once this batch has compacted or made it. -#}
{% macro _compacted(log, batch) -%}
{{ return(batch.id if batch.creates else 0 if log is none else log.batch.id if batch.get('compacts')
          else log.compacted) }}
{%- endmacro %}

{#-
  What on_schema_change says of the columns of the query and of the state.

  plan.since: the first batch whose rows have today's columns, or compare them as today; the image
  hashes of older ones are of other columns. plan.absent: what the state has and the query no longer
  has. The state is altered last, so a crash before that repeats these steps. Without a batch all
  stays as it is: new columns come with the next one.
-#}
{% macro _evolve_state(plan, stored, batch) -%}
{%- set log, found = stored.log, dbt_changelog.column_changes(plan, stored.state) -%}
{%- do dbt_changelog.check_schema_changes(plan, found, dbt_changelog.layout_names(stored)) -%}
{%- set lifted = dbt_changelog.merged(plan,
    {'since': log.get('since', 0), 'adopted': log.get('adopted', 0)},
    dbt_changelog._lifted(plan, found.narrower)) -%}
{%- set ignores = plan.on_schema_change == 'ignore' and found.added != [] -%}
{%- set keeps = plan.on_schema_change == 'append_new_columns' -%}
{%- set warns = {
  'if': none,
  'text': 'The state of ' ~ plan.where ~ ' has no column '
    ~ found.added | map(attribute='name') | join(', ')
    ~ ", so the contents leave it out. To fix: set on_schema_change='append_new_columns' to add it,"
    ~ ' or leave it out of the query.',
} if ignores else none -%}
{%- if ignores and plan.contract -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'on_schema_change', 'it is ignore, and the contract'
    ~ ' has the columns ' ~ found.added | map(attribute='name') | join(', ')
    ~ ', which the state does not have', ("set on_schema_change='append_new_columns', or "
      if dbt_changelog.format_of(plan.storage.file_format).merges else '')
    ~ 'run with --full-refresh') -%}
{%- endif -%}
{%- set columns = dbt_changelog.merged(lifted, dbt_changelog.restricted(lifted, stored.state)
    if ignores else dbt_changelog._with_absent(lifted, found.absent, log.get('uncompared', []))
    if keeps else {}) -%}
{%- set parts = dbt_changelog.evolve_partial(columns, stored.state)
    if dbt_changelog.kernel_of(plan.kernel).by_column else {'added': [], 'absent': []} -%}
{%- set followed = dbt_changelog.merged(columns, {
  'partial': parts.partial, 'keeps_deletes': parts.keeps_deletes,
} if parts.partial is defined else {}) -%}
{%- set changes = {
  'added': ([] if ignores else found.added) + parts.added,
  'absent': ([] if keeps else found.absent) + parts.absent,
  'retyped': found.retyped + dbt_changelog._narrow_hash(stored.state),
} -%}
{%- if not batch.writes -%}
{{ return({'plan': dbt_changelog.merged(followed, dbt_changelog.restricted(
    followed, stored.state)), 'steps': [], 'warns': warns}) }}
{%- elif not changes.values() | sum(start=[])
    and followed.absent | map(attribute='name') | list == log.get('absent', [])
    and followed.uncompared == log.get('uncompared', []) -%}
{{ return({'plan': followed, 'steps': [], 'warns': warns}) }}
{%- endif -%}
{#- rows of this batch that an earlier run wrote, or staged, are of the columns of then -#}
{%- set is_older = batch.scenario == 'resume'
    or (batch.get('has_rows', false) and not dbt_changelog.kernel_of(log.plan.kernel).appends) -%}
{%- set new = dbt_changelog.merged(followed, {'since': batch.id + is_older | int}) -%}
{%- set noted = dbt_changelog.batch_log(new, log.batch) -%}
{{ return({'plan': new, 'warns': warns, 'steps': [{'name': 'note columns',
      'sql': dbt_changelog.set_properties_sql(
        plan.relations.state, noted.properties, noted.comment)}]
    + dbt_changelog._alter_changelog(new, batch)
    + dbt_changelog.change_columns(plan.relations.state, plan.storage.file_format, changes)}) }}
{%- endmacro %}

{#- The hash in a state of before, where it was an int as long as no column was hashed. -#}
{% macro _narrow_hash(columns) -%}
{{ return([{'name': '_image_hash', 'type': 'bigint'}] if columns
    | selectattr('name', 'equalto', '_image_hash') | selectattr('type', 'equalto', 'int') | list
    else []) }}
{%- endmacro %}

{#-
  The steps that give the changelog the plan's columns. It keeps those that the plan no longer
  has: what was emitted stays. Its key and its format are its consumers'.
-#}
{% macro _alter_changelog(plan, batch) -%}
{%- set stored = batch.stored -%}
{%- if not plan.changelog or stored.changelog is none -%}
{{ return([]) }}
{%- endif -%}
{%- set table, file_format = plan.relations.changelog, plan.storage.file_format -%}
{%- set anew = 'rename or drop the changelog, let its consumers begin again, and run with'
    ~ ' --full-refresh' -%}
{%- if not stored.log.plan.changelog and not batch.appended -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'it was left out since ' ~ table
    ~ ' was made, which lacks the batches since then', anew) -%}
{%- elif not dbt_changelog.is_same_config('unique_key', plan.unique_key,
                                           stored.log.plan.unique_key) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'unique_key', 'it is ' ~ plan.unique_key ~ ', but '
    ~ table ~ ' was made with ' ~ stored.log.plan.unique_key, 'set it back; or ' ~ anew) -%}
{%- elif (stored.log.plan.get('on_conflict') is none) != (plan.on_conflict is none) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'on_conflict', 'it was set or left out since '
    ~ table ~ ' was made, and its changes would not go on from those that it has',
    'set it back; or ' ~ anew) -%}
{%- elif not dbt_changelog.is_same_config('versions', dbt_changelog.version_names(plan),
                                           dbt_changelog.version_names(stored.log.plan)) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'stored_as_scd_type', 'the columns of versions are '
    ~ dbt_changelog.version_names(plan) ~ ', but ' ~ table ~ ' was made with '
    ~ dbt_changelog.version_names(stored.log.plan), 'set it back; or ' ~ anew) -%}
{%- elif stored.changelog_format != file_format -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'file_format', 'it is ' ~ file_format ~ ', but '
    ~ table ~ ' was made with ' ~ stored.changelog_format, 'set it back; or ' ~ anew) -%}
{%- endif -%}
{%- set found = dbt_changelog.column_changes(
    dict(plan, state_columns=plan.state_columns + dbt_changelog._unstored_sequence(plan)),
    stored.changelog) -%}
{%- for column in found.retyped
    if not dbt_changelog.is_widening(column.stored, column.type) or column.name == '_sequence' -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', "column '" ~ column.name ~ "' is "
    ~ column.type ~ ' in the query and ' ~ column.stored ~ ' in ' ~ table,
    ('set sequence_by back' if column.name == '_sequence' else 'cast it in the query')
    ~ '; or ' ~ anew) -%}
{%- endfor -%}
{{ return(dbt_changelog.change_columns(table, file_format, dict(found, absent=[]))) }}
{%- endmacro %}

{#- What orders the changes of a changelog, where the state does not have it. -#}
{% macro _unstored_sequence(plan) -%}
{%- set type = dbt_changelog.stored_type(plan.storage.file_format, plan.sequence.type) -%}
{{ return([] if '_sequence' in dbt_changelog.kernel_of(plan.kernel).columns
          else [dict(plan.sequence, type=type)]) }}
{%- endmacro %}

{#-
  An event table, and its state, get the columns that are new in the query: of the rows before they
  are NULL. Its other columns stay, in their types and their order. plan.added: columns that the
  state has not yet.
-#}
{% macro _evolve_events(plan, stored) -%}
{%- set table, refuse = plan.relations.batch_log, dbt_changelog.raise_invalid -%}
{%- set found = dbt_changelog.column_changes(plan, stored.row) -%}
{%- set anew = '; or rename or drop ' ~ table ~ ', let its consumers begin again, and run again' -%}
{%- for column in found.retyped -%}
{%- do refuse(plan.where, 'input', "column '" ~ column.name ~ "' is " ~ column.type
    ~ ' in the query and ' ~ column.stored ~ ' in ' ~ table, 'cast it in the query' ~ anew) -%}
{%- endfor -%}
{%- for column in found.absent -%}
{%- do refuse(plan.where, 'input', "column '" ~ column.name ~ "' of " ~ table
    ~ ' is not in the query', 'select it, or a NULL of its type' ~ anew) -%}
{%- endfor -%}
{%- set lifted = dbt_changelog.merged(plan, dbt_changelog._lifted(plan, found.narrower)) -%}
{%- set ordered = dbt_changelog.merged(lifted, dbt_changelog._ordered(lifted, stored.row)) -%}
{%- set sides, fields = [], [] -%}
{%- for image in [plan.before, plan.after] | select('string') | unique -%}
{%- do sides.append(dbt_changelog.quote(image) ~ '.') -%}
{%- endfor -%}
{%- for column in found.added -%}
{%- for side in ([''] if column.name in plan.passthrough or not sides else sides) -%}
{%- do fields.append(dict(column, path=side ~ dbt_changelog.quote(column.name))) -%}
{%- endfor -%}
{%- endfor -%}
{%- set added = dbt_changelog.column_changes(ordered, stored.state).added if plan.stages else [] -%}
{%- set no_others = {'absent': [], 'retyped': []} -%}
{{ return({
  'plan': dbt_changelog.merged(ordered, {'added': added}),
  'steps': dbt_changelog.change_columns(table, plan.storage.file_format,
      dict(no_others, added=fields))
    + dbt_changelog.change_columns(plan.relations.state, plan.storage.file_format,
      dict(no_others, added=added)),
}) }}
{%- endmacro %}

{#-
  The columns of a plan that a table has too; the others are as if not there. A config that names
  columns of the row (ignore_null_updates) names those of them.
-#}
{% macro restricted(plan, stored) -%}
{%- set names = stored | map(attribute='name') | map('lower') | list -%}
{%- set asked = plan.get('ignore_null_updates') -%}
{%- set parts = {'payload': [], 'passthrough': [], 'compared': [], 'state_columns': [],
                 'partial': []} -%}
{%- for part, kept in parts.items() -%}
{%- for item in plan.get(part) or [] if (item if item is string else item.name) | lower in names -%}
{%- do kept.append(item) -%}
{%- endfor -%}
{%- endfor -%}
{{ return(dict(parts, ignore_null_updates={
  'except': dbt_changelog.shared_names(asked['except'], names),
} if asked is mapping else asked if asked is boolean
  else dbt_changelog.shared_names(asked or [], names))) }}
{%- endmacro %}

{#-
  A plan's columns with those that the query no longer has: its events leave them NULL. One that was
  not compared (uncompared) never is.
-#}
{% macro _with_absent(plan, absent, uncompared) -%}
{%- set names = absent | map(attribute='name') | list -%}
{%- set passed = dbt_changelog.shared_names(names, uncompared) -%}
{{ return({
  'absent': absent,
  'orderable': plan.orderable and dbt_changelog.is_orderable(absent),
  'payload': plan.payload + names,
  'uncompared': plan.uncompared + passed,
  'compared': (plan.compared + absent | rejectattr('name', 'in', passed) | list)
    | sort(attribute='name'),
  'state_columns': plan.state_columns + absent,
}) }}
{%- endmacro %}

{#- A plan's columns with the wider types that the table has: its events are cast to them. -#}
{% macro _lifted(plan, narrower) -%}
{%- set types, lifted, parts = {}, [], {'compared': [], 'state_columns': []} -%}
{%- for column in narrower -%}
{%- do types.update({column.name: column.stored}) -%}
{%- do lifted.append({'name': column.name, 'type': column.stored}) -%}
{%- endfor -%}
{%- for part, columns in parts.items() -%}
{%- for column in plan[part] -%}
{%- do columns.append(dict(column, type=types.get(column.name, column.type))) -%}
{%- endfor -%}
{%- endfor -%}
{{ return(dict(parts, lifted=lifted)) }}
{%- endmacro %}

{#- The columns of a plan in the order of others; new ones come last. -#}
{% macro _ordered(plan, others) -%}
{%- set columns, names = [], others | map(attribute='name') | map('lower') | list -%}
{%- for name in names -%}
{%- for column in plan.state_columns if column.name | lower == name -%}
{%- do columns.append(column) -%}
{%- endfor -%}
{%- endfor -%}
{%- for column in plan.state_columns if column.name | lower not in names -%}
{%- do columns.append(column) -%}
{%- endfor -%}
{{ return({
  'state_columns': columns,
  'payload': columns | map(attribute='name') | reject('in', plan.passthrough) | list,
}) }}
{%- endmacro %}
