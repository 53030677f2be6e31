{#-
  Names of the config -> columns of the input, spelled as the input spells them.

  Gives op, before, after, passthrough, unique_key, sequence_by (as SQL), payload, uncompared: of
  flat events passthrough names columns of the row, which stay where they are. Without columns (in a
  macro) names are taken as they are.
-#}
{% macro resolve_columns(plan, columns) -%}
{%- if columns is none -%}
{{ return({'columns': none, 'payload': none, 'uncompared': [],
           'sequence_names': plan.sequence_by}) }}
{%- endif -%}
{%- set inputs = columns.input | map(attribute='name') | list -%}
{%- set find = dbt_changelog.require_column -%}
{%- set found = {
  'columns': columns,
  'op': find(plan.where, 'op', plan.op, inputs),
  'before': find(plan.where, 'before', plan.before, inputs) if plan.before else none,
  'after': find(plan.where, 'after', plan.after, inputs) if plan.after else none,
  'sequence_names': [],
  'sequence_by': [],
  'passthrough': [],
  'unique_key': [],
  'uncompared': [],
} -%}
{%- for item in plan.sequence_by -%}
{%- set name = dbt_changelog.sequence_column(plan.where, item, inputs) -%}
{%- do found.sequence_names.append(name) if name -%}
{%- do found.sequence_by.append(dbt_changelog.quote(name) if name else item) -%}
{%- endfor -%}
{%- for name in plan.passthrough if plan.images -%}
{%- do found.passthrough.append(find(plan.where, 'passthrough', name, inputs)) -%}
{%- endfor -%}
{%- set payload = dbt_changelog.payload_columns(plan, found, columns) -%}
{%- do dbt_changelog.check_payload(plan.where, payload, found.passthrough) -%}
{%- do dbt_changelog.check_generated(plan.where, ['_row_kind', '_sequence', '_image'],
    inputs | reject('in', found.sequence_names + [found.op]) | list) if plan.images -%}
{%- for name in plan.unique_key -%}
{%- do found.unique_key.append(find(plan.where, 'unique_key', name, payload)) -%}
{%- endfor -%}
{%- for name in plan.passthrough if not plan.images -%}
{%- set name = find(plan.where, 'passthrough', name,
    payload | reject('in', found.unique_key) | list) -%}
{#- without a key a row is all of its columns -#}
{%- do found.uncompared.append(name) if plan.unique_key -%}
{%- endfor -%}
{%- do found.update({'payload': payload}) -%}
{{ return(found) }}
{%- endmacro %}
