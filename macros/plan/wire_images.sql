{#-
  The images of a format as SQL: {images, texts, read, unread}. images: {before, after}, or what
  there is of them, as they came. Where columns are read from text: texts, an array of the images;
  read, what becomes of one of them, `_dbtc_text`; unread, what of it is missing in `_dbtc_image`.
-#}
{% macro wire_images(preset, row, key_texts) -%}
{%- set images, came = {}, [] -%}
{%- for side in ['before', 'after']
    if preset[side] and not (side == 'before' and preset.before == preset.after) -%}
{%- do came.append(preset[side]) -%}
{%- do images.update({side: dbt_changelog._came_sql(preset[side], row, key_texts)}) -%}
{%- endfor -%}
{%- if not images or not (row | selectattr('how') | list or preset.cell != '{0}') -%}
{{ return({'images': images, 'texts': none, 'read': none, 'unread': none}) }}
{%- endif -%}
{{ return({
  'images': images,
  'texts': dbt_changelog._texts_sql(came, images, row, key_texts),
  'read': dbt_changelog._read_sql(preset, row),
  'unread': dbt_changelog._unread_sql(row),
}) }}
{%- endmacro %}

{#- The images, as texts where a column came as a variant: in one way for all that are columns. -#}
{% macro _texts_sql(came, images, row, key_texts) -%}
{%- if came | reject('string') | list or not row | selectattr('by_variant') | list -%}
{{ return(dbt_changelog.call_sql('array', images.values() | list)) }}
{%- endif -%}
{{ return(dbt_changelog.call_sql('transform', ['array(' ~ came | join(', ') ~ ')',
    '_dbtc_image -> ' ~ dbt_changelog._came_sql('_dbtc_image', row, key_texts)])) }}
{%- endmacro %}

{#- An image as it came: a struct, or one that is made of a value for each column. -#}
{% macro _came_sql(image, row, key_texts) -%}
{%- set items, texts = [], row | selectattr('by_variant') | list -%}
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

{#- What could not be read of an image: the op code of its event, or NULL. -#}
{% macro _unread_sql(row) -%}
{%- set cases = [] -%}
{%- for column in row if column.how -%}
{%- set name = '.' ~ dbt_changelog.quote(column.name) -%}
{%- set text = '_dbtc_text' ~ name -%}
{%- set doubt = dbt_changelog.lacks_unit_sql(column.type, text, column.how) -%}
{%- set items = [dbt_changelog.literal('unreadable ' ~ column.name ~ ': '), text] -%}
{%- do items.append('if(' ~ doubt ~ ", ' (set meta.unit)', '')") if doubt -%}
{%- do cases.append('when ' ~ text ~ ' is not null and _dbtc_image' ~ name ~ ' is null then\n    '
    ~ dbt_changelog.call_sql('concat', items) | indent(4)) -%}
{%- endfor -%}
{{ return('case\n  ' ~ cases | join('\n  ') ~ '\nend' if cases else 'string(null)') }}
{%- endmacro %}

{#- In a path of JSON a name with a dot stands in brackets; one with an apostrophe can't. -#}
{% macro _of_column(sql, column) -%}
{%- set name = column.name -%}
{%- set path = "['" ~ name ~ "']" if '.' in name or '[' in name else '.' ~ name -%}
{{ return(sql | replace('{column}', dbt_changelog.quote(name))
              | replace('{name}', dbt_changelog.literal(name))
              | replace('{path}', dbt_changelog.literal(path))) }}
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

{#- The same of an event whose images are read: without a key, if the row after lacks a value. -#}
{% macro unreadable_values(node, preset, row, fields) -%}
{%- set found, columns = [], row | list -%}
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
