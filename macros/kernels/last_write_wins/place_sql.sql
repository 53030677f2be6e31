{#-
  Where a change stands to the row that the state has of its key: the one place that says, against
  the state and for last_write_wins, what is new, late, repeated or a tie, as a condition for the
  run and as a word for its counters. Within a batch: last_changes_cte and winners_ctes.

  new: its sequence is greater, or it wins at the same one. Under FAIL two different effects at one
  sequence are an error; UPDATE_BEFORE only loses. Under LAST a change that leaves the same row and
  ranks higher replaces it, and is no news: nothing is emitted.

  The word is about what the two say, not about which one is kept: under LAST a tie is called one
  whichever wins, and a change that leaves the same row a duplicate, also where it replaces it.

  A stored row whose values were erased has no hash: it comes after all changes of its sequence, and
  ties with none.

  The macros take `sides`, SQL of the two rows: {change, stored, ranks, hash}: their prefixes, what
  orders them at one sequence (two expressions, or none) and the hash of the stored one.
-#}

{#- Whether a change replaces the stored row, or the error of a tie. -#}
{% macro place_sql(plan, sides, only_news=false) -%}
{%- set change, stored = sides.change, sides.stored -%}
{%- set above = change ~ '_sequence > ' ~ stored ~ '_sequence' -%}
{%- set same = change ~ '_sequence = ' ~ stored ~ '_sequence' -%}
{%- set differs = change ~ '_image_hash <> ' ~ sides.hash | indent(6) -%}
{%- set outdated = dbt_changelog._is_outdated_sql(plan, change, stored) -%}
{%- set ways, tie = [above], [same, differs] -%}
{%- set lasts = plan.tie_handling == 'LAST' -%}
{%- if sides.ranks -%}
{%- do ways.append((same, sides.ranks | join('\n        > ')) | join('\n      and ')
    ~ ('\n      and ' ~ (differs if only_news else stored ~ '_image_hash is not null')
       if lasts)) -%}
{%- endif -%}
{%- do ways.append(([same, differs] + outdated) | join('\n      and ')) if outdated -%}
{%- set wins = above if ways | length == 1
    else '(\n    ' ~ ways | join('\n    or ') ~ '\n  )' -%}
{%- if lasts -%}
{{ return(wins) }}
{%- endif -%}
{%- do tie.append('not (\n      ' ~ outdated | join('\n      and ') ~ '\n    )') if outdated -%}
{%- do tie.append(change ~ "_row_kind <> 'UPDATE_BEFORE'") if plan.has_update_before -%}
{%- do tie.append(stored ~ "_row_kind <> 'UPDATE_BEFORE'") if plan.has_update_before -%}
{#-
  Delta evaluates conditions on unmatched rows with NULL columns: the error must stand in the branch
  of an equality, in the first condition and nowhere else.
-#}
{{ return('if(\n  ' ~ tie | join('\n    and ') ~ ',\n  '
          ~ dbt_changelog.tie_error_sql(plan, change, change ~ '_sequence')
          ~ ',\n  ' ~ wins ~ '\n)') }}
{%- endmacro %}

{#- The place in a word: new, duplicate, late or tie. tie: SQL, instead of that word. -#}
{% macro place_word_sql(plan, sides, tie="'tie'") -%}
{%- set change, stored = sides.change, sides.stored -%}
{%- set outdated = dbt_changelog._is_outdated_sql(plan, change, stored) -%}
case
  when {{ stored }}_sequence is null
    or {{ change }}_sequence > {{ stored }}_sequence then 'new'
  when {{ change }}_sequence < {{ stored }}_sequence then 'late'
  when {{ change }}_image_hash = {{ sides.hash }}
    or {{ change }}_row_kind = 'UPDATE_BEFORE'
    or {{ stored }}_image_hash is null then 'duplicate'
  when {{ stored }}_row_kind = 'UPDATE_BEFORE'
    {{- '\n    or (' ~ outdated | join(' and ') ~ ')' if outdated }} then 'new'
  else {{ tie }}
end
{%- endmacro %}

{#- The sides of a join of changes with the state. -#}
{% macro joined_sides(plan) -%}
{%- set ranks = [] -%}
{%- for side in ['change.', 'state.'] -%}
{%- set rank = dbt_changelog.rank_sql(plan, side) -%}
{%- do ranks.append('struct(' ~ rank | join(', ') ~ ')') if rank -%}
{%- endfor -%}
{{ return({'change': 'change.', 'stored': 'state.', 'ranks': ranks,
           'hash': dbt_changelog.stored_hash_sql(plan, 'state.', as_read=true)}) }}
{%- endmacro %}

{#-
  What decides between changes of one sequence, before their hash, as a list: under LAST the kind
  and the row's text; else only that UPDATE_BEFORE loses to any other change.
-#}
{% macro rank_sql(plan, side='') -%}
{%- if plan.tie_handling == 'LAST' -%}
{{ return([dbt_changelog.kind_rank_sql(side), dbt_changelog.image_text_sql(plan, side)]) }}
{%- endif -%}
{{ return([side ~ "_row_kind <> 'UPDATE_BEFORE'"] if plan.has_update_before else []) }}
{%- endmacro %}

{#-
  The image hash of a stored row. Of a row from before a change of columns it is computed anew, from
  the columns of today, unless it has none; as_read: as its event is read now, without what the
  query no longer has.
-#}
{% macro stored_hash_sql(plan, side='', as_read=false) -%}
{%- if not plan.since -%}
{{ return(side ~ '_image_hash') }}
{%- endif -%}
{{ return(dbt_changelog.call_sql('if', [
    side ~ '_batch_id < ' ~ plan.since ~ ' and ' ~ side ~ '_image_hash is not null',
    dbt_changelog.image_hash_sql(plan, side, plan.absent if as_read else []),
    side ~ '_image_hash'])) }}
{%- endmacro %}

{#-
  The conditions for two rows of one sequence to be one row before and after a change of columns: no
  tie, the newer reading of it counts. None where no columns have changed. A row that was adopted
  gives way to a delete, too.
-#}
{% macro _is_outdated_sql(plan, change, stored) -%}
{%- set is_older = [stored ~ '_batch_id < ' ~ plan.since] if plan.since else [] -%}
{{ return(is_older if not is_older or dbt_changelog.has_adopted(plan)
          else is_older + [dbt_changelog.is_live_sql(change), dbt_changelog.is_live_sql(stored)]) }}
{%- endmacro %}

{#- Whether the rows from before plan.since are those of a table that was adopted. -#}
{% macro has_adopted(plan) -%}
{{ return(plan.adopted > 0 and plan.adopted + 1 == plan.since) }}
{%- endmacro %}
