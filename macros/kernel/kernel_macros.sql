{#-
  What a kernel has of its own, and the one place that chooses between them.

  rows: a batch as the state keeps it; is_live: the condition for a row of it to be shown;
  is_tombstone: for one that is kept for late events; merge: the statement that puts it into the
  state; purge: the one that deletes what the state need not remember, or none; changelog: what it
  emits; refreshed: what it emits where the state is built anew; contents: the query of the view;
  standing: what diagnose says of a query's changes beside the state; row_counts: what a batch did
  to the contents, as aggregates of the rows that it wrote (filter: see state_size_sql).
-#}
{% macro kernel_macros(plan) -%}
{%- set live, rows = dbt_changelog.live_kind_sql(), 'count(*) filter (where ' -%}
{%- set more = 'coalesce(sum(greatest(greatest(%s, 0) - greatest(%s, 0), 0)), 0)' -%}
{{ return({
  'last_write_wins': {
    'rows': dbt_changelog.batch_rows_sql,
    'is_live': dbt_changelog.live_kind_sql(),
    'is_tombstone': 'not ' ~ dbt_changelog.live_kind_sql(),
    'merge': dbt_changelog.merge_state_sql,
    'purge': none,
    'changelog': dbt_changelog.batch_changelog_sql,
    'refreshed': dbt_changelog.refresh_changelog_sql,
    'contents': dbt_changelog.contents_sql,
    'standing': dbt_changelog.diagnose_state_sql,
    'row_counts': {
      'rows_inserted': rows ~ live ~ ' and not _was_live)',
      'rows_updated': rows ~ live ~ ' and _was_live)',
      'rows_deleted': rows ~ 'not ' ~ live ~ ' and _was_live)',
    },
  },
  'multiset': {
    'rows': dbt_changelog.batch_weights_sql,
    'is_live': '_weight > 0',
    'is_tombstone': '_weight = 0',
    'merge': dbt_changelog.merge_weights_sql,
    'purge': dbt_changelog.purge_weights_sql,
    'changelog': dbt_changelog.staged_changelog_sql,
    'refreshed': dbt_changelog.refresh_weights_sql,
    'contents': dbt_changelog.counted_contents_sql,
    'standing': dbt_changelog.diagnose_weights_sql,
    'row_counts': {
      'rows_inserted': more | format('_weight', '_weight_before'),
      'rows_updated': '0',
      'rows_deleted': more | format('_weight_before', '_weight'),
    },
  },
}[plan.kernel]) }}
{%- endmacro %}
