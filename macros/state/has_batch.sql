{#- Whether a table has rows of a batch, now. -#}
{% macro has_batch(relation, id) -%}
{{ return(dbt_changelog.table_exists(relation)
          and run_query('select 1 from ' ~ relation ~ ' where _batch_id = ' ~ id
                        ~ ' limit 1').rows | length > 0) }}
{%- endmacro %}
