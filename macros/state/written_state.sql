{#-
  The table that has the state after a batch. Where there is no MERGE, and where the state has
  another format, it is a new one; the old one stays until the view reads the new. A name with a
  batch is never used again, so what a killed run left of it is in nobody's way.

  stored: the format of the state, if there is one.
-#}
{% macro written_state(plan, id, stored=none) -%}
{%- set file_format = plan.state.file_format -%}
{%- if dbt_changelog.format_features(file_format).merges -%}
{%- do return(plan.relations.state) if stored in [none, file_format] -%}
{%- set usual = dbt_changelog.sibling_relation(plan.relations.home, 'state') -%}
{%- set log = dbt_changelog.read_batch_log(usual) -%}
{%- do return(usual) if not dbt_changelog.table_exists(usual)
    or (log and log.plan.uid == plan.uid and log.file_format == file_format) -%}
{%- endif -%}
{{ return(dbt_changelog.sibling_relation(plan.relations.home,
    'state_' ~ id ~ '_' ~ local_md5(invocation_id)[:8])) }}
{%- endmacro %}
