{#-
  The table that has the state after a batch. Where there is no MERGE it is a new one: its name is
  never used again, so what a killed run left of it is in nobody's way.
-#}
{% macro written_state(plan, id) -%}
{%- if dbt_changelog.format_features(plan.state.file_format).merges -%}
{{ return(plan.relations.state) }}
{%- endif -%}
{{ return(dbt_changelog.sibling_relation(plan.relations.home,
    'state_' ~ id ~ '_' ~ local_md5(invocation_id)[:8])) }}
{%- endmacro %}
