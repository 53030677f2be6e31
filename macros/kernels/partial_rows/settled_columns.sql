{#-
  What is left of a key: the one place that says which value a column has, and whether the row is
  there, of a batch alone or merged with the state. Gives {column: SQL}; merges: the state's row is
  `state`, that of the batch `change`; else there is only the latter.

  A column has the value of its greatest sequence, if that is above the floor, the last delete or
  truncate. Hard deletes: the row is there if its last upsert is above the floor. Soft: it stays,
  with what the upserts before its deletion set, so the floor is the last delete below the last
  upsert; where columns may not be sent, that takes all deletes from there on (plan.keeps_deletes).
-#}
{% macro settled_columns(plan, merges) -%}
{%- set columns, sequences, partial = {}, [], plan.partial | map(attribute='name') | list -%}
{%- set upserted = dbt_changelog._greatest_of('_upserted', merges) -%}
{%- set ends = dbt_changelog.row_ends(plan, merges) -%}
{%- set hash = dbt_changelog._newer_value(plan, '_upserted', '_image_hash', merges) -%}
{%- for name in plan.payload + plan.passthrough -%}
{%- set column = dbt_changelog.quote(name) -%}
{%- if name in plan.unique_key -%}
{%- do columns.update({name: 'change.' ~ column}) -%}
{%- elif name == plan.soft_delete -%}
{%- do columns.update({name: dbt_changelog.call_sql('coalesce',
    [dbt_changelog.terms_sql(ends.last, '>=', upserted), 'false'])}) -%}
{%- elif name in partial -%}
{%- do columns.update({name: dbt_changelog._settled_value(plan, name, merges, ends.floor)}) -%}
{%- else -%}
{%- set value = dbt_changelog._newer_value(plan, '_upserted', column, merges) -%}
{%- do columns.update({name: value if plan.soft_delete
    else dbt_changelog._unless_ended_sql(upserted, ends.last, value)}) -%}
{%- endif -%}
{%- endfor -%}
{%- set is_gone = hash ~ ' is null' if plan.soft_delete else dbt_changelog.terms_sql(
    upserted ~ ' is null', 'or', dbt_changelog.terms_sql(upserted, '<=', ends.last)) -%}
{%- do columns.update({
  '_sequence': dbt_changelog._greatest_sql_of([upserted, ends.last]),
  '_row_kind': dbt_changelog.call_sql(
    'if', [is_gone, dbt_changelog._ended_kind(plan), "'UPDATE_AFTER'"]),
  '_image_hash': hash,
  '_upserted': upserted,
  '_removed': ends.kept,
}) -%}
{%- for name in partial -%}
{%- do sequences.append(dbt_changelog._settled_sequence(name, merges, ends.floor) ~ ' as '
    ~ dbt_changelog.quote(name)) -%}
{%- endfor -%}
{%- do columns.update({'_sequences': dbt_changelog.call_sql('struct', sequences)})
    if sequences -%}
{{ return(columns) }}
{%- endmacro %}

{#- The kind of what is no row: a delete, or where truncates are rows of their own, one of them. -#}
{% macro _ended_kind(plan) -%}
{{ return("if(change." ~ dbt_changelog.quote(plan.unique_key[0])
          ~ " is null, 'TRUNCATE', 'DELETE')" if plan.get('truncates_are_rows') else "'DELETE'") }}
{%- endmacro %}

{#- What ends a row: {last, floor, kept}: the last end, that above which values count, the deletes
  to be remembered. -#}
{% macro row_ends(plan, merges) -%}
{%- if not plan.keeps_deletes -%}
{%- set deleted = dbt_changelog._greatest_of('_removed', merges) -%}
{%- set last = dbt_changelog._greatest_sql_of(
    [deleted] + (['change._dbtc_truncated'] if plan.truncates else [])) -%}
{{ return({'last': last, 'floor': last, 'kept': deleted}) }}
{%- endif -%}
{%- set upserted = dbt_changelog._greatest_of('_upserted', merges) -%}
{%- set deletes = 'array_union(coalesce(state._removed, change._removed), change._removed)'
    if merges else 'change._removed' -%}
{%- set all = 'array_union(' ~ deletes ~ ', change._dbtc_truncated)' if plan.truncates
    else deletes -%}
{%- set below = 'array_max(filter(%s, item -> item < ' ~ upserted ~ '))' -%}
{%- set floor = below | format(all) -%}
{{ return({
  'last': 'array_max(' ~ all ~ ')',
  'floor': 'greatest(' ~ floor ~ ', ' ~ dbt_changelog.erased_sequence_sql() ~ ')' if merges
    else floor,
  'kept': 'filter(' ~ deletes ~ ', item -> coalesce(item >= ' ~ below | format(deletes)
    ~ ', true))',
}) }}
{%- endmacro %}

{% macro _settled_sequence(name, merges, floor) -%}
{%- set sequence = dbt_changelog._greatest_of('_sequences.' ~ dbt_changelog.quote(name), merges) -%}
{{ return(dbt_changelog._unless_ended_sql(sequence, floor, sequence)) }}
{%- endmacro %}

{% macro _settled_value(plan, name, merges, floor) -%}
{%- set column = dbt_changelog.quote(name) -%}
{%- set sequence = '_sequences.' ~ column -%}
{{ return(dbt_changelog._unless_ended_sql(dbt_changelog._greatest_of(sequence, merges), floor,
    dbt_changelog._newer_value(plan, sequence, column, merges))) }}
{%- endmacro %}

{#- A value of the batch or of the state, whichever has the greater sequence. -#}
{% macro _newer_value(plan, sequence, column, merges) -%}
{{ return(dbt_changelog.call_sql('if', [
    dbt_changelog.is_newer_sql(plan, sequence), 'change.' ~ column, 'state.' ~ column])
    if merges else 'change.' ~ column) }}
{%- endmacro %}

{#- A value, unless what has its sequence was ended. A value without a sequence is NULL. -#}
{% macro _unless_ended_sql(sequence, end, value) -%}
{{ return(dbt_changelog.call_sql(
    'if', [dbt_changelog.terms_sql(sequence, '<=', end), 'null', value])) }}
{%- endmacro %}

{#- Whether a sequence is after an end, if there is one. -#}
{% macro outlives_sql(sequence, end) -%}
{{ return(dbt_changelog.call_sql(
    'coalesce', [dbt_changelog.terms_sql(sequence, '>', end), 'true'])) }}
{%- endmacro %}

{#- Of state and batch the greater one; NULL counts as the least. -#}
{% macro _greatest_of(name, merges) -%}
{{ return('greatest(state.' ~ name ~ ', change.' ~ name ~ ')' if merges else 'change.' ~ name) }}
{%- endmacro %}

{% macro _greatest_sql_of(items) -%}
{%- set flat = [] -%}
{%- for item in items -%}
{%- do flat.append(item[9:-1] if item.startswith('greatest(') else item) -%}
{%- endfor -%}
{{ return('greatest(' ~ flat | join(', ') ~ ')'
          if flat | length > 1 or ',' in flat[0] else flat[0]) }}
{%- endmacro %}

{#-
  Whether the contents do not depend on the order of two changes of one sequence, or the error that
  they do: two values of a column, two rows, a row or a value and its deletion. What a truncate, an
  erasure or a later delete takes is no matter.
-#}
{% macro settled_ties_sql(plan, merges) -%}
{%- set upserted = dbt_changelog._greatest_of('_upserted', merges) -%}
{%- set ends, comparable = dbt_changelog.row_ends(plan, merges), dbt_changelog.comparable_sql -%}
{%- set ties = [dbt_changelog.all_of_sql(
    dbt_changelog._deletion_ties(plan, merges, ends, upserted))] -%}
{%- set is_of_now = ['state._batch_id >= ' ~ plan.since] if plan.since else [] -%}
{%- if merges -%}
{%- do ties.append(dbt_changelog.all_of_sql(
    ['change._upserted = state._upserted'] + is_of_now
    + ['change._image_hash <> state._image_hash']
    + ([] if plan.soft_delete else [dbt_changelog.outlives_sql('change._upserted', ends.last)])))
-%}
{%- endif -%}
{%- for column in plan.partial -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- set sequence = '_sequences.' ~ name -%}
{%- do ties.append(dbt_changelog.all_of_sql(
    ['change.' ~ sequence ~ ' = state.' ~ sequence] + is_of_now
    + ['not (' ~ comparable('change.' ~ name, column) ~ ' <=> '
       ~ comparable('state.' ~ name, column) ~ ')',
       dbt_changelog.outlives_sql('change.' ~ sequence, ends.floor)])) if merges -%}
{%- do ties.append(dbt_changelog.all_of_sql(
    dbt_changelog._deletion_ties(
      plan, merges, ends, dbt_changelog._greatest_of(sequence, merges))
    + ['coalesce(' ~ ('state.' ~ name ~ ', ' if merges) ~ 'change.' ~ name ~ ') is not null'])) -%}
{%- endfor -%}
{{ return(dbt_changelog.unless_tied_sql(
    ties, dbt_changelog.tie_error_sql(plan, 'change.', upserted, is_whole=false))) }}
{%- endmacro %}

{#- The conditions for a delete to have a sequence, too, and nothing to have taken its values. -#}
{% macro _deletion_ties(plan, merges, ends, sequence) -%}
{%- set terms = ['array_contains(' ~ ends.kept ~ ', ' ~ sequence ~ ')' if plan.keeps_deletes
    else dbt_changelog.terms_sql(ends.kept, '=', sequence)] -%}
{%- do terms.append(dbt_changelog.outlives_sql(sequence, dbt_changelog.erased_sequence_sql()))
    if merges -%}
{#- a row that was adopted gives way to a delete -#}
{%- do terms.append('coalesce(state._batch_id >= ' ~ plan.since ~ ' or '
    ~ ('size(state._removed) > 0' if plan.keeps_deletes else 'state._removed is not null')
    ~ ', true)') if merges and dbt_changelog.has_adopted(plan) -%}
{%- do terms.append(dbt_changelog.outlives_sql(sequence, 'array_max(change._dbtc_truncated)'
    if plan.keeps_deletes else 'change._dbtc_truncated')) if plan.truncates -%}
{{ return(terms) }}
{%- endmacro %}

{#- True, or the error, if any of these is true. -#}
{% macro unless_tied_sql(ties, error) -%}
{{ return('if(\n  ' ~ ties | map('indent', 2) | join('\n  or ') ~ ',\n  ' ~ error
          ~ ',\n  true\n)') }}
{%- endmacro %}
