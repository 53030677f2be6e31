{#-
  The columns of the row in events that are text, as payload_schema or the model's columns say, but
  for those of the contents that no row has: [{name, type, how, by_variant}]. names: the columns of
  the query, beside the text. how: how a value is read from text, see read_text_sql; none where
  from_json reads the type. by_variant: the text is that of a variant.
-#}
{% macro wire_row(where, node, preset, names) -%}
{%- set given, parts, units = node.config.get('payload_schema'), [], {} -%}
{%- set beside = dbt_changelog._names_beside(where, node, names) -%}
{%- do dbt_changelog._check_flag(where, node) -%}
{%- for column in (node.columns or {}).values() if given is none
    and dbt_changelog.find_name(column.name, beside) is none -%}
{%- if not column.get('data_type') -%}
{%- do dbt_changelog.raise_invalid(where, 'columns', "column '" ~ column.name ~ "' has no"
    ~ ' data_type, and the value of ' ~ preset.name ~ ' is text', 'write the data_type of every'
    ~ " column, for example {name: id, data_type: bigint}, or set payload_schema='id bigint, ..'")
-%}
{%- endif -%}
{%- do parts.append(dbt_changelog.quote(column.name) ~ ' ' ~ column.data_type) -%}
{%- do units.update({column.name: (column.get('meta') or {}).get('unit')}) -%}
{%- endfor -%}
{%- if given is none and not parts -%}
{%- do dbt_changelog.raise_invalid(where, 'columns', 'the value of ' ~ preset.name ~ ' is text, and'
    ~ ' nothing says which columns a row has', 'list the columns of the model with their data_type'
    ~ " in its yml, or set payload_schema='id bigint, name string'") -%}
{%- endif -%}
{%- set row = [] -%}
{%- for part in dbt_changelog._described_row(where, node, given, parts) -%}
{%- do row.append({'name': part.name, 'type': part.type,
    'how': dbt_changelog._how(where, preset, part, units.get(part.name))}) -%}
{%- endfor -%}
{{ return(dbt_changelog._by_variant(preset, row, node.config.get('unique_key'))) }}
{%- endmacro %}

{#-
  The columns of the row, as Spark has them; an error says which has a type that Spark does not. A
  char(n) or varchar(n) is a string, as in other models.
-#}
{% macro _described_row(where, node, given, parts) -%}
{%- set refuse, lengths = dbt_changelog.raise_invalid, '(?i)\\b(var)?char *[(] *[0-9]+ *[)]' -%}
{%- set query = dbt_changelog._fields_query(
    modules.re.sub(lengths, 'string', given or parts | join(', '))) -%}
{%- set found = dbt_changelog.try_describe(query) -%}
{%- set fix = 'write a type of Spark: string for texts, bigint or int for whole numbers,'
    ~ ' decimal(p, s) of at most 38 digits, timestamp or timestamp_ntz for times' -%}
{%- do refuse(where, 'payload_schema', "Spark can not read '" ~ given ~ "': "
    ~ (dbt_changelog._type_error('struct<' ~ given ~ '>') or found.error), fix)
    if found.error and given is not none -%}
{%- for column in (node.columns or {}).values() if found.error and column.get('data_type') -%}
{%- set error = dbt_changelog._type_error(column.data_type) -%}
{%- do refuse(where, 'columns', "the data_type of column '" ~ column.name ~ "' is '"
    ~ column.data_type ~ "', which is no type of Spark: " ~ error, fix) if error -%}
{%- endfor -%}
{{ return(found.columns or dbt_changelog.describe_columns(query)) }}
{%- endmacro %}

{#- What Spark says against a type; none where it has it. -#}
{% macro _type_error(type) -%}
{{ return(dbt_changelog.try_describe('select cast(null as ' ~ type ~ ') as v').error) }}
{%- endmacro %}

{#- A flag that is listed with the type of something else is meant as a column of the row. -#}
{% macro _check_flag(where, node) -%}
{%- set flag = dbt_changelog.find_name(node.config.get('soft_delete') or '', node.columns or {}) -%}
{%- set type = (node.columns[flag].get('data_type') if flag) or 'boolean' -%}
{%- do dbt_changelog.raise_invalid(where, 'soft_delete', "'" ~ flag ~ "' is listed in the columns"
    ~ ' as ' ~ type ~ ', and the flag is boolean', 'choose another name for the flag')
    if type | lower != 'boolean' -%}
{%- endmacro %}

{#- The columns of the contents that are not of the row: passed through, the flag, of versions. -#}
{% macro _names_beside(where, node, names) -%}
{%- set config = node.config -%}
{%- set beside = dbt_changelog.shared_names(
    dbt_changelog.parse_names(where, 'passthrough', config.get('passthrough')), names) -%}
{%- do beside.append(config.get('soft_delete') or '') -%}
{%- for name in ['valid_from', 'valid_to', 'is_current'] if dbt_changelog.keeps_versions(config) -%}
{%- do beside.append(config.get(name) or name) -%}
{%- endfor -%}
{{ return(beside | map('string') | list) }}
{%- endmacro %}

{#-
  Which texts are those of variants. Of a number with a point that is to be a text from_json makes a
  double, which loses digits of decimals; a variant keeps them, but writes 1.0, or an object, in a
  way of its own. Where maps hold such values, too ({cells}), and each event counts, texts are read
  as they are: else the row that goes would not be the one that came.
-#}
{% macro _by_variant(preset, row, key) -%}
{%- set exact, columns = row | selectattr('how') | selectattr('how.exact') | list, [] -%}
{%- set all = exact and not key and '{cells}' in preset.value -%}
{%- for column in row -%}
{%- do columns.append(dict(column, by_variant=column in exact or (all and not column.how))) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}

{% macro _how(where, preset, column, unit) -%}
{%- set type = modules.re.match('[a-z_]+', column.type).group() -%}
{%- set is_coded = type == 'decimal' and preset.decimals != 'digits' -%}
{%- set units = ['digits', 'base64'] if is_coded else ['digits'] if type == 'decimal'
    else preset.micros | select | list if type.startswith('timestamp') else none -%}
{%- if unit is not none and units is not none and unit not in units -%}
{%- do dbt_changelog.raise_invalid(where, 'columns', "the meta.unit of column '" ~ column.name
    ~ "' is '" ~ unit ~ "', and " ~ preset.name ~ ' writes a ' ~ type ~ ' in one of these: '
    ~ (units | join(', ') or 'text'), 'write one of them, or leave it out') -%}
{%- endif -%}
{%- if type in ['string', 'varchar', 'char'] or (preset.texts != 'all' and type not in preset.texts)
-%}
{{ return(none) }}
{%- elif type in ['array', 'map', 'struct', 'variant', 'interval']
    or (type == 'binary' and preset.binary is none) -%}
{%- do dbt_changelog.raise_invalid(where, 'columns', "column '" ~ column.name ~ "' is "
    ~ column.type ~ ', and the values of ' ~ preset.name ~ ' are text that is not read as such',
    'declare it as string') -%}
{%- endif -%}
{{ return({'exact': type == 'decimal',
           'decimals': (unit or preset.decimals) if is_coded else 'digits',
           'dates': preset.dates, 'binary': preset.binary,
           'micros': preset.micros.get(unit or '', 'null')}) }}
{%- endmacro %}

{#- The fields of a schema, as the columns of a query. -#}
{% macro _fields_query(schema) -%}
{{ return("select json.* from (select from_json('', " ~ dbt_changelog.literal(schema)
          ~ ') as json)') }}
{%- endmacro %}

{#- The schema of a message, without what it may lie in; none where events are columns. -#}
{% macro wire_schema(preset, row) -%}
{%- set cells = 'variant' if row | selectattr('by_variant') | list else 'string' -%}
{{ return(preset.value | replace('{row}', 'struct<' ~ dbt_changelog._row_schema(row) ~ '>')
                       | replace('{cells}', cells) if preset.value else none) }}
{%- endmacro %}

{#- The row in a schema: what is read from text is a text. -#}
{% macro _row_schema(row) -%}
{%- set columns = [] -%}
{%- for column in row -%}
{%- do columns.append(dbt_changelog.quote(column.name) ~ ' '
    ~ ('variant' if column.by_variant else 'string' if column.how else column.type)) -%}
{%- endfor -%}
{{ return(columns | join(', ')) }}
{%- endmacro %}

{#- The schema of the whole text: the fields of a message may also lie in one of them. -#}
{% macro whole_schema(preset, schema) -%}
{{ return(schema ~ ', ' ~ preset.inside ~ ' struct<' ~ schema ~ '>'
          if schema and preset.inside else schema) }}
{%- endmacro %}

{#- The schemas of the texts that are documents in the message: {field: schema}. -#}
{% macro wire_documents(preset, row) -%}
{%- set documents = {} -%}
{%- for field in preset.documents -%}
{%- do documents.update({field: dbt_changelog._row_schema(row)}) -%}
{%- endfor -%}
{{ return(documents) }}
{%- endmacro %}

{#- The fields of a message, [{name}]: none has the name of a column that stands beside value. -#}
{% macro wire_fields(where, schema, names) -%}
{%- set fields = [] -%}
{%- for field in dbt_changelog.describe_query(dbt_changelog._fields_query(schema)) -%}
{%- set column = dbt_changelog.find_name(field.name, names) -%}
{%- if column is none -%}
{%- do fields.append(dict(field, parts=none)) -%}
{%- elif field.name != 'key' -%}
{%- do dbt_changelog.raise_invalid(where, 'format', "column '" ~ column ~ "' of the query is"
    ~ ' also a field of the value', 'leave it out of the query, or rename it') -%}
{%- endif -%}
{%- endfor -%}
{{ return(fields) }}
{%- endmacro %}
