{#-
  What the tables of a model can't follow: a plan that the stored one, or a table that is gone, does
  not allow. stored: as evolve_plan takes it. Columns are evolve_plan's. begun: as begun_batch.
-#}
{% macro check_stored_plan(plan, stored, refreshes, begun=none) -%}
{%- if plan.function == 'to_changelog' -%}
{%- do dbt_changelog._check_events(plan, stored, refreshes) -%}
{%- else -%}
{%- do dbt_changelog._check_changelog(plan, stored, begun) -%}
{%- do dbt_changelog._check_state(plan, stored, begun) -%}
{%- endif -%}
{%- endmacro %}

{#-
  A state that a later version of this package wrote may say what this one does not know, and one of
  an earlier version may lack what this one reads.
-#}
{% macro check_version(plan, log) -%}
{%- if log.plan.version != plan.version -%}
{%- do dbt_changelog.raise_problem('The table ' ~ plan.relations.batch_log ~ ' of ' ~ plan.where
    ~ ' has plan version ' ~ log.plan.version ~ ', and this version of dbt_changelog has '
    ~ plan.version, 'install the version of dbt_changelog that wrote it, or a later one'
    if log.plan.version > plan.version else 'run with --full-refresh to build the state anew'
    if plan.function == 'from_changelog' else 'rename or drop it and ' ~ plan.relations.state
    ~ ', let its consumers begin again, and run again') -%}
{%- endif -%}
{%- endmacro %}

{#- Another key, order or kernel, or events that are read in another way. -#}
{% macro _check_state(plan, stored, begun) -%}
{%- set log = stored.log -%}
{%- set refresh = 'or run with --full-refresh to build the state anew from all that the source'
    ~ ' still has' if not begun else 'run once, which finishes batch ' ~ begun.batch.id
    ~ ' that an earlier run began, and then change it with --full-refresh' -%}
{%- set now, then = dict(plan, file_format=plan.storage.file_format),
    dict(log.plan, file_format=log.file_format) -%}
{%- do now.update({'stored_as_scd_type': 2 if plan.versions else 1}) -%}
{%- do then.update({'stored_as_scd_type': 2 if log.plan.get('versions') else 1}) -%}
{#- a row that is all of its columns is found by those that are compared -#}
{%- do now.update({'passthrough': dbt_changelog._passing_names(plan, stored, plan.uncompared)}) -%}
{%- do then.update({'passthrough': dbt_changelog._passing_names(
    plan, stored, log.get('uncompared', []))}) -%}
{%- do dbt_changelog._check_merge(plan, log.plan, refresh) -%}
{%- for name in ['function', 'unique_key', 'sequence_by', 'file_format', 'soft_delete',
                 'on_conflict', 'stored_as_scd_type']
    + (['passthrough'] if plan.on_conflict else [])
    if not dbt_changelog.is_same_config(name, now.get(name), then.get(name)) -%}
{%- do dbt_changelog.raise_invalid(plan.where, name, 'it is ' ~ (now[name] or 'not set')
    ~ ', but the state was made ' ~ ('with ' ~ then[name] if then.get(name) else 'without it'),
    'set it back, ' ~ refresh) -%}
{%- endfor -%}
{%- if then.kernel != now.kernel
    and [then.kernel, now.kernel] != ['last_write_wins', 'merge_on_read'] -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'kernel', 'the model is kept by ' ~ now.kernel
    ~ ', but the state was made by ' ~ then.kernel, 'set back what says which values were not sent,'
    ~ ' or that there are truncates, ' ~ refresh) -%}
{%- endif -%}
{%- set waiting = (log.batch.get('watermark') or {}).get('buffer') -%}
{%- if waiting and not plan.watermark -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'watermark', 'it was left out, and events wait'
    ~ ' for it in the table ' ~ waiting, 'set it back, run once with --vars'
    ~ " '{dbt_changelog_flush: true}', and leave it out then") -%}
{%- endif -%}
{%- for entry in plan.op_mapping -%}
{%- set kinds, made = entry.kinds | join(', '), log.plan.op_mapping.get(entry.code) -%}
{%- if made is not none and made != kinds -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'op_mapping', "code '" ~ entry.code ~ "' is "
    ~ kinds ~ ', but the state was made with ' ~ made, 'set it back, ' ~ refresh) -%}
{%- endif -%}
{%- endfor -%}
{#- what the state has of such a code would count no more, or no longer lose to another change -#}
{%- for kind in ['TRUNCATE']
    + (['UPDATE_BEFORE'] if dbt_changelog.kernel_of(plan.kernel).appends else [])
    if kind in log.plan.op_mapping.values()
    and [kind] not in plan.op_mapping | map(attribute='kinds') | list -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'op_mapping', 'it has no code for ' ~ kind
    ~ ', but the state was made with one', 'set it back, ' ~ refresh) -%}
{%- endfor -%}
{%- set images, made = dbt_changelog._image_sides(plan), dbt_changelog._image_sides(log.plan) -%}
{%- if images != made -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'before and after', 'events have ' ~ images
    ~ ', but the state was made of events with ' ~ made, 'set them back, ' ~ refresh) -%}
{%- endif -%}
{%- endmacro %}

{#- Whether a config says the same: names of columns do, whether in capitals or not. -#}
{% macro is_same_config(name, now, then) -%}
{%- set is_name = name not in ['op_mapping', 'sequence_by'] or modules.re.fullmatch(
    '(`[^`]*`|[\\[\\]\'", ])*', now | string) is not none -%}
{{ return(now == then or (is_name and (now | string | lower) == (then | string | lower))) }}
{%- endmacro %}

{#- A state to which batches are appended may have several rows a key, which no MERGE expects. -#}
{% macro _check_merge(plan, then, fix) -%}
{%- if plan.kernel == 'last_write_wins' and then.kernel == 'merge_on_read' -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'merge', 'it is on_write, but batches were appended'
    ~ ' to the state with on_read', 'set it back, ' ~ fix) -%}
{%- endif -%}
{%- endmacro %}

{#-
  A changelog must have all batches: it can't begin late, but in a full refresh, nor be lost and
  begin again, nor go on after some that it has not.
-#}
{% macro _check_changelog(plan, stored, begun) -%}
{%- set log, begins = stored.log, begun and begun.creates -%}
{%- set lacks = plan.changelog and log.batch.id > 0
    and (stored.changelog is none or not (log.plan.changelog or begins)) -%}
{%- if lacks and not log.plan.changelog -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'the state has '
    ~ log.batch.id ~ ' batches that a changelog would lack',
    'run with --full-refresh: the changelog begins with the contents at that time'
    if stored.changelog is none else 'rename or drop ' ~ plan.relations.changelog
    ~ ', let its consumers begin again, and run with --full-refresh') -%}
{%- elif lacks -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'the table ' ~ plan.relations.changelog
    ~ ' is gone, and consumers of it would miss what it had',
    'restore it, or run with --full-refresh: it begins with the contents at that time') -%}
{%- elif log.plan.changelog and not plan.changelog -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'changelog', 'the model had a changelog, which would'
    ~ ' stop, and its consumers would not be told', 'set changelog=true, or run with'
    ~ ' --full-refresh') -%}
{%- elif plan.changelog -%}
{%- do dbt_changelog._check_versions(plan, stored) -%}
{%- endif -%}
{%- endmacro %}

{#-
  Versions are as the changelog has them: if there are any, their columns, what makes one. A
  passthrough column makes none; one that the query or the state does not have has no say.
-#}
{% macro _check_versions(plan, stored) -%}
{%- set wanted = dbt_changelog._versions_of(plan, stored, plan.versions, plan.uncompared) -%}
{%- set made = dbt_changelog._versions_of(plan, stored, stored.log.plan.get('versions'),
    stored.log.get('uncompared', [])) -%}
{%- for name in wanted if wanted[name] != made.get(name) -%}
{%- do dbt_changelog.raise_invalid(plan.where, name, 'it is ' ~ (wanted[name] or 'not set')
    ~ ', and the changelog was made ' ~ ('with ' ~ made[name] if made.get(name) else 'without it'),
    'set it back, or run with --full-refresh, which emits how the versions differ'
    if name.startswith('track_') or name == 'passthrough' else 'set it back; or rename or drop the'
    ~ ' changelog, let its consumers begin again, and run with --full-refresh') -%}
{%- endfor -%}
{%- endmacro %}

{#- What makes a version, of the columns that both the query and the state have. -#}
{% macro _versions_of(plan, stored, versions, uncompared) -%}
{%- if not versions -%}
{{ return({'stored_as_scd_type': 1}) }}
{%- endif -%}
{%- set passing, tracked = dbt_changelog._passing_names(plan, stored, uncompared), [] -%}
{%- for name in dbt_changelog._passing_names(plan, stored, plan.payload)
    if name not in passing + (plan.unique_key | map('lower') | list)
    and dbt_changelog.is_tracked(versions, name) -%}
{%- do tracked.append(name) -%}
{%- endfor -%}
{{ return({
  'stored_as_scd_type': 2,
  'valid_from': versions.valid_from | lower,
  'valid_to': versions.valid_to | lower,
  'is_current': versions.is_current | lower,
  'passthrough': passing,
  'track_history_columns': tracked,
}) }}
{%- endmacro %}

{#- Of columns that are not compared those of the row that both the query and the state have. -#}
{% macro _passing_names(plan, stored, names) -%}
{%- set columns = stored.state | map(attribute='name') | list -%}
{{ return(dbt_changelog.shared_names(dbt_changelog.shared_names(names, plan.payload), columns)
          | map('lower') | sort) }}
{%- endmacro %}

{#-
  An event table, also in a full refresh: what its consumers have read stays as it is, and must be
  readable with what comes.
-#}
{% macro _check_events(plan, stored, refreshes) -%}
{%- set table, refuse, log = plan.relations.batch_log, dbt_changelog.raise_invalid, stored.log -%}
{%- set anew = '; or rename or drop ' ~ table ~ (' and ' ~ plan.relations.state
    if plan.input == 'table' else '') ~ ', let its consumers begin again, and run again' -%}
{%- set mapping = {} -%}
{%- for entry in plan.op_mapping -%}
{%- do mapping.update({entry.kinds | join(', '): entry.code}) -%}
{%- endfor -%}
{%- set now, then = dict(plan, op_mapping=mapping, file_format=plan.storage.file_format),
    dict(log.plan, file_format=log.file_format) -%}
{%- for name in ['after', 'before', 'file_format', 'input', 'op', 'op_mapping', 'passthrough',
                 'unique_key'] if not dbt_changelog.is_same_config(name, now[name], then[name]) -%}
{%- do refuse(plan.where, name, 'it is ' ~ now[name] ~ ', but ' ~ table ~ ' was made with '
    ~ then[name], 'set it back' ~ anew) -%}
{%- endfor -%}
{%- if refreshes and plan.input == 'changes' and plan.reader is none and log.batch.id > 0 -%}
{%- do refuse(plan.where, 'full_refresh', 'the events of ' ~ table ~ ' do not say which rows there'
    ~ ' are, so the difference can not be found', 'run without --full-refresh' ~ anew) -%}
{%- elif plan.stages and log.batch.id > 0 and stored.state is none -%}
{%- do refuse(plan.where, 'state', 'the table ' ~ plan.relations.state
    ~ ', which remembers what ' ~ table ~ ' says, is gone', 'restore it' ~ anew) -%}
{%- endif -%}
{%- endmacro %}

{#- Which images the events have, in words: names of columns may change, this may not. -#}
{% macro _image_sides(plan) -%}
{%- if plan.before is none and plan.after is none -%}
{{ return('no images') }}
{%- elif plan.before == plan.after -%}
{{ return('one column for both images') }}
{%- endif -%}
{{ return('a before and an after image' if plan.before and plan.after
          else 'an after image' if plan.after else 'a before image') }}
{%- endmacro %}
