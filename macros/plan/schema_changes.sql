{#-
  How a plan's columns differ from a table's, [{name, type}]: {added, absent, retyped, narrower},
  each a list of {name, type}. `stored` of a retyped one is the table's type; it holds every value
  of a narrower one.
-#}
{% macro schema_changes(plan, stored) -%}
{%- set types = {} -%}
{%- set changes = {'added': [], 'absent': [], 'retyped': [], 'narrower': []} -%}
{%- for column in stored -%}
{%- do types.update({column.name | lower: column.type}) -%}
{%- endfor -%}
{%- for column in plan.state_columns -%}
{%- set type = types.get(column.name | lower) -%}
{%- if type is none -%}
{%- do changes.added.append(column) -%}
{%- elif dbt_changelog.is_widening(column.type, type) and column.name != '_sequence' -%}
{%- do changes.narrower.append(dict(column, stored=type)) -%}
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
