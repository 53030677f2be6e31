{#- The columns of the query and of its images: {input, before, after}, by analysis alone. -#}
{% macro input_columns(where, given, query) -%}
{%- set input = dbt_changelog.query_columns(where, query) -%}
{%- set names, columns = input | map(attribute='name') | list, {'before': [], 'after': []} -%}
{%- for side in ['before', 'after'] if given.get(side) is string -%}
{%- set name = dbt_changelog.require_column(where, side, given[side], names) -%}
{%- set image = input | selectattr('name', 'equalto', name) | first -%}
{%- if not image.type.startswith('struct<') -%}
{%- do dbt_changelog.raise_invalid(where, side, "column '" ~ name ~ "' is " ~ image.type
    ~ ', and an image is a struct', "parse it in the query, for example with from_json") -%}
{%- endif -%}
{%- do columns.update({side: image.parts}) -%}
{%- endfor -%}
{{ return(dict(columns, input=input)) }}
{%- endmacro %}

{#- The columns of a model's query, each of another name. -#}
{% macro query_columns(where, query) -%}
{%- set columns, names = dbt_changelog.describe_columns('select * from (\n' ~ query ~ '\n)'), []
-%}
{%- for column in columns -%}
{%- do dbt_changelog.raise_invalid(where, 'input', "it has two columns named '" ~ column.name ~ "'",
    'leave out or rename one of them in the query') if column.name | lower in names -%}
{%- do names.append(column.name | lower) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}

{#-
  Names of the config -> columns of the input, spelled as the input spells them.

  Gives op, before, after, passthrough, unique_key, sequence_by (as SQL), payload, uncompared: what
  passes through beside a key. Of flat events these are columns of the row, which stay where they
  are, and no passthrough.
-#}
{% macro resolved_columns(plan, columns) -%}
{%- set inputs = columns.input | map(attribute='name') | list -%}
{%- set find, where = dbt_changelog.require_column, plan.where -%}
{%- set op, sequence_names, sequence_by, passed = find(where, 'op', plan.op, inputs), [], [], [] -%}
{%- for item in plan.sequence_by -%}
{%- set name = dbt_changelog._sequence_column(where, item, inputs) -%}
{%- do sequence_names.extend([name] if name
    else dbt_changelog._names_in(item, inputs) if plan.on_conflict else []) -%}
{%- do sequence_by.append(dbt_changelog.quote(name) if name else item) -%}
{%- endfor -%}
{%- for name in plan.passthrough if plan.images -%}
{%- do passed.append(find(where, 'passthrough', name, inputs)) -%}
{%- endfor -%}
{%- set unsent = dbt_changelog.find_name(plan.columns_not_sent or '', inputs) -%}
{%- set payload = dbt_changelog._payload(plan, [op, unsent], sequence_names, columns) -%}
{%- do dbt_changelog.check_payload(where, payload, passed) -%}
{%- do dbt_changelog.check_generated(where, inputs | reject('in', sequence_names + [op]),
    ['_row_kind', '_sequence']) if plan.images -%}
{%- set key = dbt_changelog.require_columns(
    where, 'unique_key', plan.unique_key, payload, inputs) -%}
{%- set uncompared = dbt_changelog.require_columns(where, 'passthrough',
    [] if plan.images else plan.passthrough, payload | reject('in', key) | list, inputs) -%}
{{ return({
  'columns': columns,
  'op': op,
  'op_type': dbt_changelog._op_type(where, op, columns),
  'before': find(where, 'before', plan.before, inputs) if plan.before else none,
  'after': find(where, 'after', plan.after, inputs) if plan.after else none,
  'sequence_names': sequence_names,
  'sequence_by': sequence_by,
  'passthrough': passed,
  'unique_key': key,
  'payload': payload,
  'columns_not_sent': dbt_changelog.quote(unsent) if unsent else plan.columns_not_sent,
  'uncompared': passed + uncompared if key else [],
}) }}
{%- endmacro %}

{#- The type of the op column, which must be string or boolean. -#}
{% macro _op_type(where, name, columns) -%}
{%- set type = (columns.input | selectattr('name', 'equalto', name) | first).type -%}
{%- if type not in ['string', 'boolean'] and not type.startswith('varchar')
    and not type.startswith('char') -%}
{%- do dbt_changelog.raise_invalid(where, 'op', "column '" ~ name ~ "' is " ~ type
    ~ ', and an op code is a string or a boolean', 'cast it to string in the query') -%}
{%- endif -%}
{{ return('boolean' if type == 'boolean' else 'string') }}
{%- endmacro %}

{#-
  The names of the payload: of the image structs (after's, then what only before has), or of the
  row without its op column and what says which columns were not sent; a sequence column whose name
  starts with '_' is read, not stored.
-#}
{% macro _payload(plan, dropped, sequence_names, columns) -%}
{%- set payload = [] -%}
{%- if plan.images -%}
{%- for column in columns.after + columns.before
    if dbt_changelog.find_name(column.name, payload) is none -%}
{%- do payload.append(column.name) -%}
{%- endfor -%}
{%- else -%}
{%- for column in columns.input
    if column.name not in dropped
    and not (column.name in sequence_names and column.name.startswith('_')) -%}
{%- do payload.append(column.name) -%}
{%- endfor -%}
{%- endif -%}
{{ return(payload) }}
{%- endmacro %}

{#- The columns of the result: there must be some, and none may stand where we write ours. -#}
{% macro check_payload(where, payload, passthrough) -%}
{%- if not payload -%}
{%- do dbt_changelog.raise_invalid(where, 'input', 'it has no column besides the op column',
    'select the columns of the row too') -%}
{%- endif -%}
{%- for name in passthrough if dbt_changelog.find_name(name, payload) is not none -%}
{%- do dbt_changelog.raise_invalid(where, 'passthrough',
    "'" ~ name ~ "' is also a field of the images", 'rename it in the query') -%}
{%- endfor -%}
{%- for name in payload + passthrough if '${' in name -%}
{%- do dbt_changelog.raise_invalid(where, 'input', "Spark would replace a part of its column '"
    ~ name ~ "', also between backquotes", 'rename it in the query') -%}
{%- endfor -%}
{%- do dbt_changelog.check_generated(where, payload + passthrough) -%}
{%- endmacro %}

{#- The columns of a list that an expression reads, of those that stand in it by name. -#}
{% macro _names_in(expression, names) -%}
{%- set found = [] -%}
{%- for name in names if modules.re.search(
    '(?i)(?<![\\w.])`?' ~ modules.re.escape(name) ~ '\\b(?! *\\()', expression) -%}
{%- do found.append(name) -%}
{%- endfor -%}
{{ return(found) }}
{%- endmacro %}

{#-
  The column that an item of sequence_by names, or none when it is a SQL expression.

  A plain name or a path that the input has not is an error here: it would be Spark's later.
-#}
{% macro _sequence_column(where, item, names) -%}
{%- set quoted = modules.re.match('`((?:[^`]|``)*)`', item) -%}
{%- set root = quoted.group(1) | replace('``', '`') if quoted else item.split('.')[0] -%}
{%- set name = dbt_changelog.find_name(root if quoted and quoted.group() == item else item, names)
-%}
{%- if name is none and ',' in item and '(' not in item -%}
{%- do dbt_changelog.raise_invalid(where, 'sequence_by', "'" ~ item ~ "' is neither a column nor"
    ~ ' one expression', 'write several columns as a list') -%}
{%- endif -%}
{%- if name is none and modules.re.fullmatch('[A-Za-z_0-9.`]+', item)
    and dbt_changelog.find_name(root, names) is none -%}
{%- do dbt_changelog.require_column(where, 'sequence_by', root, names) -%}
{%- endif -%}
{{ return(name) }}
{%- endmacro %}
