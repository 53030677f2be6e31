{#-
  What the state need not remember goes: rows without a key that came to nothing, tombstones that
  are old enough. After every 16th batch, because it takes as long as a merge.
-#}
{% macro purge_steps(plan, batch) -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
{%- set format = dbt_changelog.format_of(plan.storage.file_format) -%}
{%- set is_due = format.merges and batch.writes and not batch.creates and batch.id % 16 == 0 -%}
{{ return(dbt_changelog.forget_steps(plan, batch) if is_due and not kernel.appends else []) }}
{%- endmacro %}

{#- The steps by which a state forgets, if it may; none otherwise. -#}
{% macro forget_steps(plan, batch) -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
{%- set forgets = plan.get('tombstone_retention', '0') != '0' -%}
{%- if not (kernel.counts_events or forgets) -%}
{{ return([]) }}
{%- endif -%}
{{ return(([{
  'name': 'count forgotten',
  'sql': dbt_changelog.count_forgotten_sql(plan, batch),
  'counts': true,
}] if forgets else []) + [{'name': 'purge state', 'sql': kernel.purge(plan, batch)}]) }}
{%- endmacro %}
