{#-
  How far a model of a consistent group reads: to the position that all its models go to, which the
  first of them in a dbt command decides. A moment that was begun and that not all have come to is
  finished first, unless the command runs all of them, or this model is ahead of it.

  Two models that decide at once change one row of one table: the second finds what the first wrote.
-#}
{% macro group_end(where, relation, place, last, read, group) -%}
{%- set record = dbt_changelog.read_group(where, group) -%}
{%- set target = record.target -%}
{#- all models are built anew: nothing that was read counts, and the log may be another one -#}
{%- set anew = should_full_refresh() and dbt_changelog._runs_whole(group)
    and target.run != invocation_id -%}
{%- if target.log and target.log != relation | string and not anew -%}
{%- do dbt_changelog.raise_invalid(where, 'consistent_group', "the group '" ~ group.name
    ~ "' is of the log " ~ target.log ~ ', and this model reads ' ~ relation,
    'read that log, or leave the group; if all of its models read another log now, run all of them'
    ~ ' with --full-refresh') -%}
{%- endif -%}
{%- set usable = none if anew else dbt_changelog.usable_position(target.position, place) -%}
{%- set end = usable if dbt_changelog._keeps_target(record, group, usable, last)
    else dbt_changelog._decided_end(where, relation, place, read, group, record, usable) -%}
{#- a model that had read further before it joined reads nothing until the others are there -#}
{{ return(last if end is none or (last and end != last and dbt_changelog.is_below(end, last))
          else end) }}
{%- endmacro %}

{#- Whether the moment that is begun is the one to go to. -#}
{% macro _keeps_target(record, group, usable, last) -%}
{%- if usable is none or record.target.run == invocation_id -%}
{{ return(usable is not none) }}
{%- endif -%}
{{ return(record.target.moment > record.shown
          and not dbt_changelog._runs_whole(group)
          and not (last and dbt_changelog.is_below(usable, last))) }}
{%- endmacro %}

{#- Whether this dbt command runs all models of the group. -#}
{% macro _runs_whole(group) -%}
{{ return(group.nodes | reject('in', selected_resources) | list | length == 0) }}
{%- endmacro %}

{#- A new position, once it is written down; the one before, where there is nothing new. -#}
{% macro _decided_end(where, relation, place, read, group, record, usable) -%}
{%- set target = record.target -%}
{%- set end = dbt_changelog.group_border(where, relation, place, usable, read, group) -%}
{%- if end is none or end == usable -%}
{{ return(usable) }}
{%- endif -%}
{%- set outcome = dbt_changelog.attempt(dbt_changelog._decide_sql(group, target.moment, relation,
                                                                  end)) -%}
{%- set decided = dbt_changelog.read_group(where, group).target -%}
{%- if decided.moment == target.moment -%}
{%- do dbt_changelog.raise_problem('The next position of the group ' ~ group.name ~ ' could not be'
    ~ ' written into ' ~ group.table ~ ': ' ~ outcome.error, 'run the model again') -%}
{%- endif -%}
{%- do dbt_changelog._forget_moments(group, record) -%}
{{ return(decided.position) }}
{%- endmacro %}

{#- Moments before the one that is shown are of no use; who reads meanwhile has them still. -#}
{% macro _forget_moments(group, record) -%}
{%- set old = [] -%}
{%- for moments in record.ready.values() -%}
{%- do old.extend(moments | select('lt', record.shown)) -%}
{%- endfor -%}
{%- if old | length >= 64 -%}
{%- do dbt_changelog.attempt('delete from ' ~ group.table ~ "\nwhere kind = 'ready' and moment < "
    ~ record.shown) -%}
{%- endif -%}
{%- endmacro %}

{% macro _decide_sql(group, moment, relation, end) -%}
update {{ group.table }}
set
  moment = {{ moment + 1 }},
  log = {{ dbt_changelog.literal(relation) }},
  position = {{ dbt_changelog.literal(tojson(end, sort_keys=true)) }},
  run = {{ dbt_changelog.literal(invocation_id) }},
  at = current_timestamp()
where kind = 'target' and moment = {{ moment }}
{%- endmacro %}
