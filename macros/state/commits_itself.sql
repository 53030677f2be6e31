{#- Whether a batch is committed by the statement that creates the table with the batch log. -#}
{% macro commits_itself(plan, batch) -%}
{{ return(batch.creates and plan.function == 'from_changelog') }}
{%- endmacro %}
