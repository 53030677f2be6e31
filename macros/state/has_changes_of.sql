{#- Whether the changelog has changes of a batch, now. -#}
{% macro has_changes_of(plan, id) -%}
{{ return(dbt_changelog.table_exists(plan.relations.changelog)
          and run_query('select 1 from ' ~ plan.relations.changelog ~ ' where _batch_id = ' ~ id
                        ~ ' limit 1').rows | length > 0) }}
{%- endmacro %}
