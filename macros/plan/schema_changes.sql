{#-
  How a plan's columns differ from a table's, [{name, type}]: {added, absent, retyped}, each a list
  of {name, type}; retyped ones have `stored`, the table's type.
-#}
{% macro schema_changes(plan, stored) -%}
{%- set types, changes = {}, {'added': [], 'absent': [], 'retyped': []} -%}
{%- for column in stored -%}
{%- do types.update({column.name | lower: column.type}) -%}
{%- endfor -%}
{%- for column in plan.state_columns -%}
{%- set type = types.get(column.name | lower) -%}
{%- if type is none -%}
{%- do changes.added.append(column) -%}
{%- elif type != column.type -%}
{%- do changes.retyped.append(dict(column, stored=type)) -%}
{%- endif -%}
{%- endfor -%}
{%- set known = plan.state_columns | map(attribute='name') | list
    + dbt_changelog.generated_columns() -%}
{%- for column in stored if dbt_changelog.find_name(column.name, known) is none -%}
{%- do changes.absent.append(column) -%}
{%- endfor -%}
{{ return(changes) }}
{%- endmacro %}
