{#- What a query reads of a relation, as a comment in it, from which next_batch reads it back. -#}
{% macro range_comment(relation, last, next) -%}
{%- set range = tojson({'relation': relation | string, 'from': last, 'to': next}) -%}
/* dbt_changelog range {{ range | replace('*', '\\u002a') }} */
{%- endmacro %}
