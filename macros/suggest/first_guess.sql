{#-
  What the columns and the format say: {given, select, key_candidates, other_orders, found, unsure}.
  given: configs; other_orders: what sequence_by could be, too, where the format has no order;
  found, unsure: lines for people.
-#}
{% macro first_guess(table, columns, sampled, found) -%}
{%- set preset, names = found.preset if found else none, columns | map(attribute='name') | list -%}
{%- set said, unsure, has_key = [], [], dbt_changelog.find_name('key', names) is not none -%}
{%- set is_text = preset is not none and preset.value is not none -%}
{%- set given = dbt_changelog._op_of_columns(table, columns, sampled, said, unsure) if not preset
    else {'format': preset.name} -%}
{%- if preset -%}
{%- do said.append('format ' ~ preset.name ~ ': ' ~ found.fits ~ ' of ' ~ found.events
    ~ ' events have an op code of it' ~ (', and its order' if preset.orders and is_text)) -%}
{%- do unsure.append('format: ' ~ found.others | join(', ') ~ ' would read these events, too')
    if found.others -%}
{%- endif -%}
{%- set row = dbt_changelog.row_of_texts(preset, names, sampled) if is_text
    else dbt_changelog._row_of_columns(preset, columns, given) -%}
{%- do given.update(dbt_changelog._schema_of_row(row, unsure)) if is_text -%}
{%- set beside = [] -%}
{%- for column in columns if not is_text or column.name | lower not in ['value', 'key'] -%}
{%- do beside.append(column) -%}
{%- endfor -%}
{%- set read = dbt_changelog._read_column(beside, is_text, unsure) -%}
{%- do given.update({'read': {'column': read}}) if read -%}
{%- set orders = [] if preset
    and dbt_changelog.order_of_format(preset, {'unique_key': 'any'}, columns)
    else dbt_changelog._order_columns(table, beside, read, unsure) -%}
{%- do given.update({'sequence_by': orders[0]}) if orders -%}
{%- for name in names
    if name | lower in ['topic', 'table', 'table_name', 'source_table', '__table'] -%}
{%- set count = run_query('select count(distinct `' ~ name ~ '`) from (select *' ~ sampled ~ ')')
    .rows[0][0] | int -%}
{%- do unsure.append('one table: ' ~ name ~ ' has ' ~ count ~ ' values; of several tables each is a'
    ~ ' model, with the `where` of new_rows') if count > 1 -%}
{%- endfor -%}
{{ return({
  'given': dict({'materialized': 'from_changelog'}, **given),
  'select': ((['key'] if has_key and preset.key else []) + ['value'] + [read] + orders)
    | select | unique | list if is_text else ['*'],
  'key_candidates': dbt_changelog.key_candidates(row, table, sampled, is_text and has_key),
  'other_orders': orders[1:4],
  'found': said,
  'unsure': unsure,
}) }}
{%- endmacro %}

{#- The columns of the row where events are columns: those of an image, or all but the format's. -#}
{% macro _row_of_columns(preset, columns, given) -%}
{%- set image = preset.after if preset else given.get('after') -%}
{%- for column in columns if image is string and column.name | lower == image | lower -%}
{{ return(column.parts) }}
{%- endfor -%}
{%- set row, others = [], preset.leaves_out if preset else [given.op] -%}
{%- for column in columns if dbt_changelog.find_name(column.name, others) is none -%}
{%- do row.append(column) -%}
{%- endfor -%}
{{ return(row) }}
{%- endmacro %}

{#- The columns of the row where events are text, as a config. -#}
{% macro _schema_of_row(row, unsure) -%}
{%- set fields = [] -%}
{%- for column in row -%}
{%- do fields.append(dbt_changelog.quote(column.name) ~ ' ' ~ column.type) -%}
{%- do unsure.append('column ' ~ column.name ~ ': it has no value in these rows')
    if not column.amount -%}
{%- do unsure.append('column ' ~ column.name ~ ': its numbers may be times; then declare it as'
    ~ ' timestamp') if column.type == 'bigint'
    and modules.re.search('(_at|_ts|time|date)$', column.name) -%}
{%- do unsure.append('column ' ~ column.name ~ ': its numbers come as text; if they are codes, or'
    ~ ' some may be none, declare it as string') if column.as_text
    and modules.re.match('bigint|decimal|double', column.type) -%}
{%- endfor -%}
{{ return({'payload_schema': fields | join(', ')}) }}
{%- endmacro %}

{#-
  The column that grows with arrival, by its name; none where no name says so. Of Kafka's columns
  the time: offset is of a partition. Beside a row as columns only what is no word of a business.
-#}
{% macro _read_column(columns, is_text, unsure) -%}
{%- set words = 'ingest|load|land|arriv|extract|sync|receiv' ~ ('|insert' if is_text) -%}
{%- set found = dbt_changelog.columns_named_like(columns,
    '(^|_)(' ~ words ~ ')[a-z]*(_(at|on|ts|time|timestamp|date|day))?$', 'timestamp|date|bigint')
-%}
{%- set kafka = dbt_changelog.columns_named_like(columns, '^partition$', '') -%}
{%- for name in ['timestamp'] + (['offset'] if not kafka else []) if is_text -%}
{%- do found.extend(dbt_changelog.columns_named_like(
    columns, '^' ~ name ~ '$', 'timestamp|bigint')) -%}
{%- endfor -%}
{%- do unsure.append('read ' ~ found[0] ~ ': no row may arrive later with a lower value, or it is'
    ~ ' lost; see lookback' if found
    else 'read: no column is named like a time of arrival, so each run reads all') -%}
{{ return(found[0] if found else none) }}
{%- endmacro %}

{#- What may order the changes of a key, where the format does not say it. -#}
{% macro _order_columns(table, columns, read, unsure) -%}
{%- set found = dbt_changelog.columns_named_like(columns,
    'lsn|scn|seq|version|offset|position|^pos$|_at$|_ts$|^ts|time',
    'tinyint|smallint|int|bigint|decimal|timestamp|date') -%}
{%- do dbt_changelog.raise_invalid('this operation', 'relation', 'no column of ' ~ table
    ~ ' looks like an order of changes: ' ~ columns | map(attribute='name') | join(', '),
    'add a column that orders the changes of a key, and name it in sequence_by') if not found -%}
{%- do unsure.append('sequence_by: the format does not say what orders the changes of a key') -%}
{{ return((found | reject('equalto', read) | list) + ([read] if read in found else [])) }}
{%- endmacro %}

{#- Where no format reads the rows: the op code by its name, and what its codes may mean. -#}
{% macro _op_of_columns(table, columns, sampled, said, unsure) -%}
{%- set known = ['op', '_op', '__op', 'op_type', 'operation', '_operation', '_change_type',
    'change_type', 'cdc_operation', 'dml_type', 'action', 'type'] -%}
{%- set names, there = columns | map(attribute='name') | list, [] -%}
{%- for name in known -%}
{%- do there.append(dbt_changelog.find_name(name, names)) -%}
{%- endfor -%}
{%- set op = there | select | first | default(none) -%}
{%- do dbt_changelog.raise_invalid('this operation', 'relation', 'no format reads ' ~ table
    ~ ', and none of its columns looks like an op code: ' ~ names | join(', '),
    'write the model by hand, with op, op_mapping, unique_key and sequence_by')
    if not op -%}
{%- set mapping, unknown = {}, [] -%}
{%- for row in run_query('select code, count(*) from (select ' ~ dbt_changelog.quote(op)
    ~ ' as code' ~ sampled ~ ') group by code order by 1 limit 20').rows
    if row[0] is not none -%}
{%- set code = row[0] | string -%}
{%- set kind = dbt_changelog._kind_of_code(code | lower) -%}
{%- do mapping.update({code: kind}) if kind -%}
{%- do unknown.append(code) if not kind -%}
{%- do said.append('op ' ~ op ~ ": '" ~ code ~ "' in " ~ row[1] ~ ' events') -%}
{%- do unsure.append("op code '" ~ code ~ "': " ~ ('it is taken for ' ~ kind if kind
    else 'nothing says what it means')) -%}
{%- endfor -%}
{%- do dbt_changelog.raise_invalid('this operation', 'relation', 'nothing says what an op code in '
    ~ op ~ ' of ' ~ table ~ " means: '" ~ unknown | join("', '") ~ "'",
    'write the model by hand, with an op_mapping of these codes') if not mapping -%}
{%- set images = {} -%}
{%- for column in columns if column.name | lower in ['before', 'after']
    and column.type.startswith('struct<') -%}
{%- do images.update({column.name | lower: column.name}) -%}
{%- endfor -%}
{{ return(dict({'op': op, 'op_mapping': mapping}, **images)) }}
{%- endmacro %}

{#- What an op code means, by the whole of its words; none where they do not say it. -#}
{% macro _kind_of_code(code) -%}
{%- for kind, words in {
  'UPDATE_BEFORE': '-u|ub|(.*[_ -])?(before|preimage)',
  'INSERT': '[+]?i|insert|c|create|r|read|add',
  'UPDATE_AFTER': '[+]?u|update|upsert|modify|replace|(.*[_ -])?(after|postimage)',
  'DELETE': '-?d|delete|remove',
}.items() if modules.re.fullmatch(words, code) -%}
{{ return(kind) }}
{%- endfor -%}
{{ return(none) }}
{%- endmacro %}
