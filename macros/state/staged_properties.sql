{#- What a staging table says of its batch. -#}
{% macro staged_properties(plan, batch) -%}
{{ return(dbt_changelog.to_chunks({
  'uid': plan.uid,
  'batch': {'id': batch.id, 'position': batch.position},
  'creates': batch.creates,
  'invocation_id': invocation_id,
})) }}
{%- endmacro %}
