{#-
  The types of what decode gives, as Spark's analysis finds them: so the whole of it is checked
  before it runs. compared: the payload beside the key, which decides whether two rows are equal,
  by name: its order in the query must not matter.
-#}
{% macro output_types(plan) -%}
{%- set decoded = dbt_changelog.describe_query('select * from (\n'
    ~ dbt_changelog.decode_sql(dict(plan, upserts_only=true), '(\n' ~ plan.query ~ '\n) as events')
    ~ '\n)') -%}
{%- set types = {} -%}
{%- for column in decoded -%}
{%- do types.update({column.name: column.type}) -%}
{%- endfor -%}
{%- do dbt_changelog.check_orderable(plan.where, 'sequence_by', '_sequence', types) -%}
{%- for name in plan.unique_key -%}
{%- do dbt_changelog.check_orderable(plan.where, 'unique_key', name, types) -%}
{%- endfor -%}
{%- set compared = decoded | selectattr('name', 'in', plan.payload)
    | rejectattr('name', 'in', plan.unique_key) | sort(attribute='name') -%}
{%- set stored = decoded | rejectattr('name', 'in', ['_row_kind', '_ordinal']) | list -%}
{{ return({'compared': compared, 'state_columns': stored,
           'orderable': dbt_changelog.is_orderable(stored)}) }}
{%- endmacro %}
