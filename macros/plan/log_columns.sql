{#-
  The columns of a to_changelog model's query: what it is (input), its rows (payload, and what
  passes through), with the types that its state has, and the key as the query spells it.
-#}
{% macro log_columns(plan, file_format) -%}
{%- set query = 'select * from (\n' ~ plan.query ~ '\n)' -%}
{%- set columns, find = dbt_changelog.describe_types(query), dbt_changelog.require_columns -%}
{%- set names, places = columns | map(attribute='name') | list, [] -%}
{%- if dbt_changelog.find_name('_row_kind', names) is not none -%}
{%- set places = find(plan.where, 'input',
    ['_row_kind', '_sequence', '_ordinal', '_batch_id'], names) -%}
{%- endif -%}
{%- set columns = columns | rejectattr('name', 'in', places) | list -%}
{%- set names = columns | map(attribute='name') | list -%}
{%- set key = find(plan.where, 'unique_key', plan.unique_key, names) -%}
{%- set passed = find(plan.where, 'passthrough', plan.passthrough, names) -%}
{%- set payload = names | reject('in', passed) | list -%}
{%- do dbt_changelog.check_payload(plan.where, payload, passed) -%}
{%- set stored, compared = [], [] -%}
{%- for column in columns -%}
{%- do dbt_changelog.check_orderable(plan.where, 'unique_key', column.name,
    {column.name: column.type}) if column.name in key -%}
{%- do stored.append(dict(column, type=dbt_changelog.stored_type(file_format, column.type),
                          given=column.type)) -%}
{%- endfor -%}
{%- for column in columns | sort(attribute='name') if column.name not in key -%}
{%- do compared.append(dict(column, parts=dbt_changelog.column_parts(query, column))) -%}
{%- endfor -%}
{{ return({'input': 'changes' if places else 'table', 'payload': payload, 'passthrough': passed,
           'unique_key': key, 'compared': compared, 'state_columns': stored,
           'orderable': dbt_changelog.is_orderable(columns)}) }}
{%- endmacro %}
