{#- The columns of a plan in the order of others, [{name, type}]; new ones come last. -#}
{% macro ordered_columns(plan, others) -%}
{%- set columns, names = [], others | map(attribute='name') | map('lower') | list -%}
{%- for name in names -%}
{%- for column in plan.state_columns if column.name | lower == name -%}
{%- do columns.append(column) -%}
{%- endfor -%}
{%- endfor -%}
{%- for column in plan.state_columns if column.name | lower not in names -%}
{%- do columns.append(column) -%}
{%- endfor -%}
{{ return({
  'state_columns': columns,
  'payload': columns | map(attribute='name') | reject('in', plan.passthrough) | list,
}) }}
{%- endmacro %}
