{#-
  The kernels of history (SCD type 2): one row per version of a key. The state has points, one per
  key and sequence: what a key was from then on, deletes and truncates too. The view finds the
  versions in them, so a late event is one more point, and neither order nor splits matter.

  A point is a row of another kernel, whose key is the model's and the sequence: of
  `last_write_wins`, or of `partial_rows` where an event may be less than its row. Traits and verbs:
  kernel_of.
-#}
{% macro versions() -%}
{{ return(dbt_changelog._kernel_of_points(dbt_changelog.last_write_wins())) }}
{%- endmacro %}

{% macro partial_versions() -%}
{{ return(dict(dbt_changelog._kernel_of_points(dbt_changelog.partial_rows()),
               truncates_rows=false)) }}
{%- endmacro %}

{% macro _kernel_of_points(kernel) -%}
{%- set rows = 'count(*) filter (where ' -%}
{{ return(dbt_changelog.merged(kernel, {
  'compares_states': true,
  'row_counts': dbt_changelog.merged(kernel.row_counts, {
    'rows_inserted': rows ~ kernel.is_live ~ ' and not _was_live)',
    'rows_updated': rows ~ kernel.is_live ~ ' and _was_live)',
    'rows_deleted': rows ~ "_row_kind in ('DELETE', 'UPDATE_BEFORE'))",
  }),
  'rows': dbt_changelog.point_rows_ctes,
  'merge': dbt_changelog.merge_points_sql,
  'merged': dbt_changelog.merged_points_ctes,
  'outcome': dbt_changelog.outcome_of_points_cte,
  'newer': dbt_changelog.count_newer_points_sql,
  'late': dbt_changelog.count_late_points_sql,
  'emitted': dbt_changelog.emitted_versions_ctes,
  'refreshed': dbt_changelog.refreshed_versions_ctes,
  'contents': dbt_changelog.versions_sql,
  'standing': dbt_changelog.count_point_places_sql,
  'ties': none,
})) }}
{%- endmacro %}

{#- The plan of the points: a truncate is a point without a key, and a soft delete is a delete. -#}
{% macro points_plan(plan) -%}
{{ return(dict(plan,
  kernel='partial_rows' if plan.kernel == 'partial_versions' else 'last_write_wins',
  unique_key=plan.unique_key + ['_sequence'],
  soft_delete=none,
  truncates=false,
  truncates_are_rows=plan.truncates,
)) }}
{%- endmacro %}

{#- The points of a batch, as CTEs: -> `state_rows`. -#}
{% macro point_rows_ctes(plan, batch) -%}
{%- set points = dbt_changelog.points_plan(plan) -%}
{{ dbt_changelog.kernel_of(points.kernel).rows(points, batch) }}
{%- endmacro %}

{% macro merge_points_sql(plan, rows) -%}
{%- set points = dbt_changelog.points_plan(plan) -%}
{{ dbt_changelog.kernel_of(points.kernel).merge(points, rows) }}
{%- endmacro %}

{% macro merged_points_ctes(plan) -%}
{%- set points = dbt_changelog.points_plan(plan) -%}
{{ dbt_changelog.kernel_of(points.kernel).merged(points) }}
{%- endmacro %}

{% macro outcome_of_points_cte(plan) -%}
{%- set points = dbt_changelog.points_plan(plan) -%}
{{ dbt_changelog.kernel_of(points.kernel).outcome(points) }}
{%- endmacro %}

{#- How many points a batch would write, from its query, unstaged. -#}
{% macro count_newer_points_sql(plan, batch) -%}
{%- set points = dbt_changelog.points_plan(plan) -%}
{{ dbt_changelog.kernel_of(points.kernel).newer(points, dict(batch, reader=batch.reader or plan)) }}
{%- endmacro %}
