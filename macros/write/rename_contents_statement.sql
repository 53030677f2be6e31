{#- A table that is in the way of the contents view is kept under another name. -#}
{% macro rename_contents_statement(plan, batch) -%}
{{ return({
  'name': 'rename table aside',
  'sql': 'alter table ' ~ plan.relations.contents ~ ' rename to ' ~ batch.rename_to,
}) }}
{%- endmacro %}
