{#-
  The images of a format as SQL: {images, read}. images: {before, after}, or what there is of them.
  read: where columns are read from text, what becomes of an image of texts, `_dbtc_text`.
-#}
{% macro wire_images(preset, row, key_texts) -%}
{%- set images = {} -%}
{%- for side in ['before', 'after']
    if preset[side] and not (side == 'before' and preset.before == preset.after) -%}
{%- do images.update({side: dbt_changelog._came_sql(preset, side, row, key_texts)}) -%}
{%- endfor -%}
{{ return({'images': images, 'read': dbt_changelog._read_sql(preset, row)
           if images and (row | selectattr('how') | list or preset.cell != '{0}') else none}) }}
{%- endmacro %}

{#- An image as it came: a struct, or one that is made of a value for each column. -#}
{% macro _came_sql(preset, side, row, key_texts) -%}
{%- set image, items, texts = preset[side], [], row | selectattr('by_variant') | list -%}
{%- if image is string and not texts -%}
{{ return(image) }}
{%- endif -%}
{%- set there = image ~ ' is not null' if image is string else image.there -%}
{%- set value = image ~ '.{column}' if image is string else image.value -%}
{%- for column in row -%}
{%- set text = value if image is not string or column not in texts
    else dbt_changelog.decimal_text_sql(column.type, value, column.how) if column.how
    else 'string(' ~ value ~ ')' -%}
{%- set or_key = ', ' ~ key_texts[column.name] if column.name in key_texts else '' -%}
{%- do items.append(dbt_changelog.literal(column.name) ~ ', '
    ~ dbt_changelog._of_column(text, column) | replace('{or_key}', or_key) | indent(2)) -%}
{%- endfor -%}
{{ return('if(' ~ there ~ ', named_struct(\n  ' ~ items | join(',\n  ') ~ '\n), null)') }}
{%- endmacro %}

{#- An image with its columns in their types. -#}
{% macro _read_sql(preset, row) -%}
{%- set items = [] -%}
{%- for column in row -%}
{%- set value = preset.cell | replace('{0}', '_dbtc_text.' ~ dbt_changelog.quote(column.name)) -%}
{%- do items.append(dbt_changelog.literal(column.name) ~ ', ' ~ (
    dbt_changelog.read_text_sql(column.type, value, column.how) if column.how else value)
    | indent(2)) -%}
{%- endfor -%}
{{ return('if(_dbtc_text is null, null, named_struct(\n  ' ~ items | join(',\n  ') ~ '\n))') }}
{%- endmacro %}

{% macro _of_column(sql, column) -%}
{{ return(sql | replace('{column}', dbt_changelog.quote(column.name))
              | replace('{name}', dbt_changelog.literal(column.name))) }}
{%- endmacro %}

{#-
  The key columns in the text of the message's key, {name: SQL}; none that stands beside the
  message. `key` and `value` are the message, also where a column of the row has that name.
-#}
{% macro wire_key_texts(where, node, preset, row, names) -%}
{%- set texts = {} -%}
{%- set key = dbt_changelog.parse_names(where, 'unique_key', node.config.get('unique_key')) -%}
{%- set beside = names | map('lower') | reject('in', ['key', 'value']) | list -%}
{%- for name in key if preset.key and name | lower not in beside
    and (dbt_changelog.find_name('key', names) is not none or 'key string' in preset.value) -%}
{%- for column in row if column.name | lower == name | lower -%}
{%- do texts.update({column.name: dbt_changelog._of_column(preset.key, column)
    | replace('{place}', key.index(name) | string)}) -%}
{%- endfor -%}
{%- endfor -%}
{{ return(texts) }}
{%- endmacro %}

{#- The key columns from the key of the message, {name: SQL}, where neither image is there. -#}
{% macro wire_key_columns(preset, row, key_texts) -%}
{%- set columns, there = {}, [] -%}
{%- for image in [preset.before, preset.after] if image -%}
{%- do there.append(image ~ ' is not null' if image is string else image.there) -%}
{%- endfor -%}
{%- for column in row if column.name in key_texts -%}
{%- set text = preset.cell | replace('{0}', key_texts[column.name]) -%}
{%- do columns.update({column.name: dbt_changelog.call_sql('if', [
    there | join(' or '), 'null',
    dbt_changelog.read_text_sql(column.type, text, column.how or {})])}) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}

{#- The columns of the row that an image lacks though they have a value; none if that can't be. -#}
{% macro wire_unsent_sql(preset, row, side) -%}
{%- set names = 'array(' ~ dbt_changelog.literals(row | map(attribute='name')) ~ ')' -%}
{{ return('coalesce(' ~ preset.unsent[side] | replace('{names}', names) ~ ', array())'
          if preset.unsent.get(side) and row else none) }}
{%- endmacro %}

{#-
  What makes an event unreadable, [{condition, op}]: the op code that it then has. Without a key one
  whose images lack a column is so, too, since it counts as a whole.
-#}
{% macro unreadable_events(node, preset, row) -%}
{%- set found = [] -%}
{%- for field in ([''] if preset.value else []) + preset.documents -%}
{%- set unread = field ~ ('.' if field) ~ '_dbtc_unread' -%}
{%- do found.append({'condition': unread ~ ' is not null',
    'op': "concat('unreadable: ', left(" ~ unread ~ ', 200))'}) -%}
{%- endfor -%}
{%- do found.extend(preset.unreadable) -%}
{%- for side in ['after', 'before'] if not node.config.get('unique_key') -%}
{%- set unsent = dbt_changelog.wire_unsent_sql(preset, row, side) -%}
{%- do found.append({'condition': 'size(' ~ unsent ~ ') > 0', 'op': "concat('not sent: ',"
    ~ ' array_join(' ~ unsent ~ ", ', '))"}) if unsent is not none -%}
{%- endfor -%}
{{ return(found) }}
{%- endmacro %}

{#- The same of an event whose images are read. -#}
{% macro unreadable_values(node, preset, images, row, fields) -%}
{%- set found, columns = [], row | list -%}
{%- for column in row if column.how -%}
{%- for side in images -%}
{%- set name = '.' ~ dbt_changelog.quote(column.name) -%}
{%- set text = '_dbtc_' ~ side ~ name -%}
{%- set doubt = dbt_changelog.lacks_unit_sql(column.type, text, column.how) -%}
{%- do found.append({
  'condition': text ~ ' is not null and ' ~ side ~ name ~ ' is null',
  'op': 'concat(' ~ dbt_changelog.literal('unreadable ' ~ column.name ~ ': ') ~ ', ' ~ text
    ~ (',\n  if(' ~ doubt ~ ", ' (set meta.unit)', '')" if doubt) ~ ')'}) -%}
{%- endfor -%}
{%- endfor -%}
{%- for field in fields if field.name == preset.after -%}
{%- do columns.extend(field.parts or []) -%}
{%- endfor -%}
{%- for column in columns if not node.config.get('unique_key') -%}
{%- set is_unsent = dbt_changelog.placeholder_sql(
    preset.unavailable_value, 'after.' ~ dbt_changelog.quote(column.name), column.type) -%}
{%- do found.append({'condition': is_unsent,
                     'op': dbt_changelog.literal('not sent: ' ~ column.name)}) if is_unsent -%}
{%- endfor -%}
{{ return(found) }}
{%- endmacro %}
