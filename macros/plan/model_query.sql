{#- The query of a model, as its statements read it: without rows in a run that reads nothing. -#}
{% macro model_query(query) -%}
{{ return('select * from (\n' ~ query | trim ~ '\n)\nwhere false' if dbt_changelog.reads_nothing()
    else query | trim) }}
{%- endmacro %}
