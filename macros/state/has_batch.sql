{#- Whether a table has rows of a batch, now: Spark may remember the table as it was before. -#}
{% macro has_batch(relation, id) -%}
{%- if not dbt_changelog.table_exists(relation) -%}
{{ return(false) }}
{%- endif -%}
{%- do run_query('refresh table ' ~ relation) -%}
{{ return(run_query('select 1 from ' ~ relation ~ ' where _batch_id = ' ~ id
                    ~ ' limit 1').rows | length > 0) }}
{%- endmacro %}
