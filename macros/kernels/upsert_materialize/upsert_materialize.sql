{#-
  The kernel of models whose changes belong to another key than the table's (on_conflict): the state
  has, per key, a list of the rows that were added and not taken away, in order of arrival, and one
  of them is shown. Each event counts. Its traits, and its verbs (kernel_of).

  A row of the state is a distinct row; _places has the place of each of its copies in that list:
  {_batch_id, _sequence, _kind}. A retraction takes the first of them.
-#}
{% macro upsert_materialize() -%}
{{ return({
  'counts_events': true,
  'stages_batches': true,
  'is_live': 'size(_places) > 0',
  'is_tombstone': 'size(_places) = 0',
  'columns': ['_sequence', '_places', '_places_before', '_image_hash', '_batch_id', '_changed_at'],
  'changes': dbt_changelog.batch_changes_ctes,
  'changes_name': 'changes',
  'rows': dbt_changelog.written_rows_ctes,
  'merge': dbt_changelog.merge_places_sql,
  'late': dbt_changelog.count_ignored_sql,
  'purge': dbt_changelog.purge_tombstones_sql,
  'count_rows': dbt_changelog.count_shown_sql,
  'emitted': dbt_changelog.emitted_shown_ctes,
  'refreshed': dbt_changelog.refreshed_shown_ctes,
  'contents': dbt_changelog.shown_contents_sql,
  'standing': dbt_changelog.count_lists_sql,
}) }}
{%- endmacro %}

{#- The contents: of each key the row that is shown, with just the user's columns. -#}
{% macro shown_contents_sql(plan, state) -%}
{%- set columns, names = [], plan.payload + plan.passthrough -%}
{%- for name in names -%}
{%- do columns.append(('' if name in plan.unique_key else '_dbtc_row.')
    ~ dbt_changelog.quote(name)) -%}
{%- endfor -%}
{%- set key = dbt_changelog.csv(plan.unique_key) -%}
{%- set values = dbt_changelog.csv(names | reject('in', plan.unique_key)) or key -%}
with shown_rows as (
  select
    {{ key }},
    {{ dbt_changelog.shown_sql(plan, 'struct(' ~ values ~ ')', '_places') }} as _dbtc_row
  from {{ state }}
  where size(_places) > 0
  group by {{ key }}
)

select
  {{ columns | join(',\n  ') }}
from shown_rows
{%- endmacro %}

{#-
  Of a group of rows, the value of the one that is shown; NULL if none is live. places: the column
  that has the places of each. Rows of one place are ordered by their text.
-#}
{% macro shown_sql(plan, value, places) -%}
{%- set is_first = plan.on_conflict == 'NOTHING' -%}
{%- set place = 'try_element_at(' ~ places ~ ', ' ~ (1 if is_first else -1) ~ ')' -%}
{%- set order = place if plan.tie_handling != 'LAST' else 'if(size(' ~ places ~ ') > 0, struct('
    ~ place ~ ' as place, ' ~ dbt_changelog.image_text_sql(plan) ~ ' as row), null)' -%}
{{ return(('min_by(' if is_first else 'max_by(') ~ value ~ ', ' ~ order ~ ')') }}
{%- endmacro %}
