{#-
  The types of what decode gives, as Spark's analysis finds them: so the whole of it is checked
  before it runs. compared: what decides whether two rows are equal, the payload beside the key or,
  without a key, all; by name, since its order in the query must not matter.
-#}
{% macro output_types(plan) -%}
{%- set query = 'select * from (\n'
    ~ dbt_changelog.decode_sql(dict(plan, upserts_only=true), '(\n' ~ plan.query ~ '\n) as events')
    ~ '\n)' -%}
{%- set decoded, types = dbt_changelog.describe_types(query), {} -%}
{%- for column in decoded -%}
{%- do types.update({column.name: column.type}) -%}
{%- endfor -%}
{%- do dbt_changelog.check_orderable(plan.where, 'sequence_by', '_sequence', types) -%}
{%- for name in plan.unique_key -%}
{%- do dbt_changelog.check_orderable(plan.where, 'unique_key', name, types) -%}
{%- endfor -%}
{%- set own = ['_row_kind', '_ordinal'] + (['_sequence'] if plan.counts_events else []) -%}
{%- set stored = decoded | rejectattr('name', 'in', own) | list -%}
{%- set names, compared = plan.payload + (plan.passthrough if plan.counts_events else []), [] -%}
{%- for column in stored | sort(attribute='name')
    if column.name in names and column.name not in plan.unique_key -%}
{%- do compared.append(dict(column, parts=dbt_changelog.column_parts(query, column))) -%}
{%- endfor -%}
{%- set state_columns = [] -%}
{%- for column in stored -%}
{%- do state_columns.append(
    dict(column, type=dbt_changelog.stored_type(plan.state.file_format, column.type))) -%}
{%- endfor -%}
{{ return({'compared': compared, 'state_columns': state_columns,
           'orderable': dbt_changelog.is_orderable(stored)}) }}
{%- endmacro %}
