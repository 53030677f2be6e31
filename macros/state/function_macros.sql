{#-
  What each materialization has of its own, and the one place that chooses between them.

  program: the statements of a batch; replaces: whether a full refresh builds its tables anew;
  check_lost, check_drift: what tables of earlier runs do not allow; aside: where a table of the
  model's name goes; publish: what comes after the commit, and the relations that dbt is told of;
  counted: the statement whose result says what a batch did, which counters reads.
-#}
{% macro function_macros(plan) -%}
{{ return({
  'from_changelog': {
    'program': dbt_changelog.from_changelog_program,
    'replaces': true,
    'check_lost': dbt_changelog.check_state_is_lost,
    'check_drift': dbt_changelog.check_drift,
    'aside': dbt_changelog.name_aside,
    'publish': dbt_changelog.publish_contents,
    'counted': 'write state',
    'counters': dbt_changelog.row_counters,
  },
  'to_changelog': {
    'program': dbt_changelog.to_changelog_program,
    'replaces': false,
    'check_lost': dbt_changelog.check_log_is_lost,
    'check_drift': dbt_changelog.check_log_drift,
    'aside': none,
    'publish': dbt_changelog.publish_log,
    'counted': 'append changelog',
    'counters': dbt_changelog.append_counters,
  },
}[plan.function]) }}
{%- endmacro %}
