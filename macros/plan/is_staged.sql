{#-
  Whether a batch goes through the staging table: it has several writing statements, or its MERGE
  must be repeated on just the same changes, since each of them counts.
-#}
{% macro is_staged(plan, batch) -%}
{{ return(plan.has_staging and not batch.empty
          and (plan.changelog or (plan.counts_events and not batch.creates))) }}
{%- endmacro %}
