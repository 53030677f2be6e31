{#-
  Rows that came to nothing, and are no mark of this batch. A statement of its own: as a branch of
  the MERGE (not matched by source) it doubles its time.
-#}
{% macro purge_weights_sql(plan, batch) -%}
delete from {{ plan.relations.state }}
where _weight = 0 and _batch_id < {{ batch.id }}
{%- endmacro %}
