{#-
  What decides between changes of equal sequence, before their hash: under LAST the kind and the
  row's text; else only that UPDATE_BEFORE loses to any other change. side: 'batch.' or 'state.'.
-#}
{% macro precedence_sql(plan, side='') -%}
{%- if plan.tie_handling == 'LAST' -%}
{%- set kinds = 'array(' ~ dbt_changelog.literals(dbt_changelog.row_kinds()) ~ ')' -%}
{{ return(['array_position(' ~ kinds ~ ', ' ~ side ~ '_row_kind)',
           dbt_changelog.image_text_sql(plan, side)]) }}
{%- endif -%}
{{ return([side ~ "_row_kind <> 'UPDATE_BEFORE'"] if plan.has_update_before else []) }}
{%- endmacro %}
