{#-
  The columns of a to_changelog model's query: what it is (input), its rows (payload, and what
  passes through), with the types that its state has, and those of the key as the query spells them.
-#}
{% macro log_columns(plan, file_format) -%}
{%- set query, require = 'select * from (\n' ~ plan.query ~ '\n)', dbt_changelog.require_column -%}
{%- set columns = dbt_changelog.describe_query(query) -%}
{%- set places = ['_row_kind', '_sequence', '_ordinal', '_batch_id'] -%}
{%- set names, types, stored, compared = columns | map(attribute='name') | list, {}, [], [] -%}
{%- set input = 'changes' if dbt_changelog.find_name('_row_kind', names) else 'table' -%}
{%- for name in places if input == 'changes' -%}
{%- do require(plan.where, 'input', name, names) -%}
{%- endfor -%}
{%- set places = places if input == 'changes' else [] -%}
{%- set columns = columns | rejectattr('name', 'in', places) | list -%}
{%- set names, key, passed = columns | map(attribute='name') | list, [], [] -%}
{%- for name in plan.unique_key -%}
{%- do key.append(require(plan.where, 'unique_key', name, names)) -%}
{%- endfor -%}
{%- for name in plan.passthrough -%}
{%- do passed.append(require(plan.where, 'passthrough', name, names)) -%}
{%- endfor -%}
{%- set payload = names | reject('in', passed) | list -%}
{%- do dbt_changelog.check_payload(plan.where, payload, passed) -%}
{%- for column in columns | sort(attribute='name') -%}
{%- do types.update({column.name: column.type}) -%}
{%- do compared.append(dict(column, parts=dbt_changelog.column_parts(query, column)))
    if column.name not in key -%}
{%- endfor -%}
{%- for name in key -%}
{%- do dbt_changelog.check_orderable(plan.where, 'unique_key', name, types) -%}
{%- endfor -%}
{%- for column in columns -%}
{%- do stored.append(dict(column, type=dbt_changelog.stored_type(file_format, column.type),
                          given=column.type)) -%}
{%- endfor -%}
{{ return({'input': input, 'payload': payload, 'passthrough': passed, 'unique_key': key,
           'compared': compared, 'state_columns': stored,
           'orderable': dbt_changelog.is_orderable(columns)}) }}
{%- endmacro %}
