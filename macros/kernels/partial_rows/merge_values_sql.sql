{#- The rows of a batch brought into the state, value by value. -#}

{% macro merge_values_sql(plan, rows) -%}
{{ dbt_changelog.merge_sql(plan, rows, dbt_changelog._merging_values(plan)) }}
{%- endmacro %}

{% macro merged_values_ctes(plan) -%}
{{ dbt_changelog.merged_ctes(plan, dbt_changelog._merging_values(plan)) }}
{%- endmacro %}

{#- What the state does not have of a key settles its row anew; merge_sql says what these are. -#}
{% macro _merging_values(plan) -%}
{{ return({
  'same': dbt_changelog.same_key_sql(plan),
  'is_changed': dbt_changelog.settled_ties_sql(plan, true) ~ '\nand '
    ~ dbt_changelog.is_news_sql(plan),
  'changed': dbt_changelog._merged_columns(plan),
  'columns': plan.payload + plan.passthrough + dbt_changelog.state_columns_of(plan)
    + ['_batch_id', '_was_live', '_changed_at'],
}) }}
{%- endmacro %}

{#-
  The rows of a batch with the values that they will have, and whether the MERGE writes them, as a
  CTE: `state_rows` -> `outcome`.
-#}
{% macro outcome_of_values_cte(plan) -%}
{%- set names = plan.payload + plan.passthrough -%}
{%- set replaced, columns = names | reject('in', plan.unique_key) | list + ['_row_kind'], [] -%}
{%- for name, sql in dbt_changelog.settled_columns(plan, true).items() if name in replaced -%}
{%- do columns.append((
    dbt_changelog.call_sql('if', ["change._row_kind = 'TRUNCATE'", 'change._row_kind', sql])
    if name == '_row_kind' and plan.truncates else sql) | indent(4) ~ ' as '
    ~ dbt_changelog.quote(name)) -%}
{%- endfor -%}
outcome as (
  select
    change.* except ({{ dbt_changelog.csv(replaced) }}),
    {{ columns | join(',\n    ') }},
    state._row_kind is null
      or {{ dbt_changelog.settled_ties_sql(plan, true) | indent(6) }}
        and {{ dbt_changelog.is_news_sql(plan) | indent(8) }} as _dbtc_is_written
  from state_rows as change
  left join {{ plan.relations.state }} as state
    on {{ dbt_changelog.same_key_sql(plan) }}
)
{%- endmacro %}

{#-
  Whether a key of a batch says anything that the state does not have: a later sequence, or one that
  takes what the state has.
-#}
{% macro is_news_sql(plan) -%}
{%- set terms = [] -%}
{%- set ends = dbt_changelog.row_ends(plan, true) -%}
{%- do terms.append(dbt_changelog.is_newer_sql(plan, '_upserted')) -%}
{%- do terms.append('size(array_except(' ~ ends.kept ~ ', coalesce(state._removed, array()))) > 0'
    if plan.keeps_deletes else dbt_changelog.is_newer_sql(plan, '_removed')) -%}
{%- do terms.append(dbt_changelog._is_truncated_sql(plan)) if plan.truncates -%}
{%- for column in plan.partial -%}
{%- set sequence = '_sequences.' ~ dbt_changelog.quote(column.name) -%}
{%- do terms.append(dbt_changelog.is_newer_sql(plan, sequence)) -%}
{%- do terms.append('state.' ~ sequence ~ ' <= ' ~ ends.floor) -%}
{%- endfor -%}
{{ return('(\n  ' ~ terms | join('\n  or ') ~ '\n)') }}
{%- endmacro %}

{#-
  Whether a truncate takes a row, which comes after all changes of its sequence, or is later than
  all that is known of the key.
-#}
{% macro _is_truncated_sql(plan) -%}
{%- set last = 'array_max(change._dbtc_truncated)' if plan.keeps_deletes
    else 'change._dbtc_truncated' -%}
{{ return('state._sequence < ' ~ last ~ '\n  or state._sequence = ' ~ last ~ ' and '
          ~ dbt_changelog.is_live_sql('state.')
          ~ (' and not state.' ~ dbt_changelog.quote(plan.soft_delete) if plan.soft_delete else ''))
}}
{%- endmacro %}

{#-
  The columns of a row of the state that a batch changes. _changed_at: when its sequence came, by a
  function of an array, which keeps Spark from one Java method for all columns
  (docs/decisions/0040).
-#}
{% macro _merged_columns(plan) -%}
{%- set columns, settled = {}, dbt_changelog.settled_columns(plan, true) -%}
{%- for name, sql in settled.items() if name not in plan.unique_key -%}
{%- do columns.update({name: sql}) -%}
{%- endfor -%}
{%- do columns.update({
  '_batch_id': 'change._batch_id',
  '_was_live': dbt_changelog.call_sql('if', [
    'state._batch_id = change._batch_id and state._was_live is not null',
    'state._was_live', dbt_changelog.is_live_sql('state.')]),
  '_changed_at': dbt_changelog.call_sql('if', [
    dbt_changelog.call_sql('exists', [
      'array(' ~ settled._sequence ~ ')', 'newest -> newest > state._sequence']),
    'change._changed_at', 'state._changed_at']),
}) -%}
{{ return(columns) }}
{%- endmacro %}
