{#-
  Rows of the state that are no more. In a state of events they say which are late; a diff has no
  use for them but as marks of their own batch.
-#}
{% macro purge_state_sql(plan, batch) -%}
delete from {{ plan.relations.state }}
where not ({{ dbt_changelog.kernel_macros(plan).is_live }})
  and _batch_id < {{ batch.id }}
{%- endmacro %}
