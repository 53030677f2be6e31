{#- The table of batches of a schema, for people. -#}
{% macro batches_relation(relation) -%}
{{ return(relation.incorporate(path={'identifier': 'dbt_changelog_batches'}, type='table')) }}
{%- endmacro %}
