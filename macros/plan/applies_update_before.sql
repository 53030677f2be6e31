{#-
  Whether an UPDATE_BEFORE may be among the changes that the state gets: from a code of its own, or
  from the staged changes of a changelog whose events carry both images.
-#}
{% macro applies_update_before(plan) -%}
{%- set kinds = dbt_changelog.mapped_kinds(plan.op_mapping) -%}
{{ return(dbt_changelog.has_lone_update_before(plan)
          or (plan.changelog and not plan.state_backed and 'UPDATE_BEFORE' in kinds)) }}
{%- endmacro %}
