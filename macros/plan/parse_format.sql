{#-
  The config `format` -> what its events are made of, and the arguments that it fills in: {wire,
  defaults}; none without one. All of it is data, for events_ctes.

  wire: what a preset says, with the row in it as the model's columns say: {name, schema, inside,
  fields, documents, explode, of_message, derived, leaves_out, drops, images, texts, read,
  unread, key_columns, unsent, order, op, unreadable_events, unreadable_values}.
-#}
{% macro parse_format(where, node, query) -%}
{%- set config = node.config -%}
{%- if config.get('format') is none -%}
{%- do dbt_changelog._refuse_schema(where, config) -%}
{{ return({'wire': none, 'defaults': {}}) }}
{%- endif -%}
{%- set name = dbt_changelog.parse_choice(
    where, 'format', config.get('format'), dbt_changelog.preset_names()) -%}
{%- set input = dbt_changelog.query_columns(where, query) -%}
{%- set names = input | map(attribute='name') | list -%}
{%- set preset = dbt_changelog.format_preset(where, name, names) -%}
{%- set row = dbt_changelog.wire_row(where, node, preset, names) if preset.value else [] -%}
{%- set schema = dbt_changelog.wire_schema(preset, row) -%}
{%- set fields = dbt_changelog.wire_fields(where, schema, names) if preset.value else input -%}
{%- set order = dbt_changelog.order_of_format(preset, config, fields) -%}
{{ return({
  'wire': dbt_changelog._wire(where, node, preset, row, schema, fields, names, order),
  'defaults': dbt_changelog._defaults(preset, config, order),
}) }}
{%- endmacro %}

{% macro _refuse_schema(where, config) -%}
{%- if config.get('payload_schema') is not none -%}
{%- do dbt_changelog.raise_invalid(where, 'payload_schema', 'it is of events that come as text, and'
    ~ ' no format was set', "set format, for example format='debezium', or leave it out") -%}
{%- endif -%}
{%- endmacro %}

{#-
  What orders the changes of a key, where the config does not: of columns the way whose fields are
  there, without what is the same in all events; of text the way of each event.
-#}
{% macro order_of_format(preset, config, fields) -%}
{%- set without_key = preset.orders_without_key is not none and not config.get('unique_key') -%}
{%- set ways = preset.orders_without_key if without_key else preset.orders -%}
{%- if not ways or config.get('sequence_by') is not none -%}
{{ return([]) }}
{%- elif preset.value and ways | length > 1 -%}
{%- set order = [] -%}
{%- for place in range(ways[0].order | length) -%}
{%- set cases = {} -%}
{%- for way in ways if way.needs[0] not in cases -%}
{%- do cases.update({way.needs[0]: way.order[place]}) -%}
{%- endfor -%}
{%- do order.append(dbt_changelog._by_field_sql(cases)) -%}
{%- endfor -%}
{{ return(order) }}
{%- elif preset.value -%}
{{ return(ways[0].order) }}
{%- endif -%}
{%- set there = [] -%}
{%- for field in fields -%}
{%- do there.append(field.name) -%}
{%- for part in field.parts or [] if field.type.startswith('struct<') -%}
{%- do there.append(field.name ~ '.' ~ part.name) -%}
{%- endfor -%}
{%- endfor -%}
{%- for way in ways if not dbt_changelog.missing_names(way.get('needs', []), there) -%}
{{ return(way.order | reject('in', ["''", '0']) | list) }}
{%- endfor -%}
{{ return([]) }}
{%- endmacro %}

{#- A value by the first of some fields that is not NULL. -#}
{% macro _by_field_sql(values) -%}
{%- if values.values() | unique | list | length == 1 -%}
{{ return(values.values() | first) }}
{%- endif -%}
{%- set cases = [] -%}
{%- for field, value in values.items() -%}
{%- do cases.append('when ' ~ field ~ ' is not null then ' ~ value) -%}
{%- endfor -%}
{{ return('case\n  ' ~ cases | join('\n  ') ~ '\nend') }}
{%- endmacro %}

{#- What the format fills in, where the config says nothing. -#}
{% macro _defaults(preset, config, order) -%}
{%- set defaults, names = {'op': '_op'}, [] -%}
{%- set mapping = preset.op_mapping if config.get('unique_key')
    else preset.op_mapping_without_key or preset.op_mapping -%}
{%- for item in order -%}
{%- do names.append('_order_' ~ loop.index) -%}
{%- endfor -%}
{%- do defaults.update({'op_mapping': mapping}) -%}
{%- do defaults.update({'sequence_by': names}) if names -%}
{%- do defaults.update({'before': 'after' if preset.before == preset.after else 'before'})
    if preset.before -%}
{%- do defaults.update({'after': 'after'}) if preset.after -%}
{%- if config.get('unique_key') -%}
{%- do defaults.update({'columns_not_sent': '_unsent'}) if preset.unsent.get('after') -%}
{%- do defaults.update({'unavailable_value': preset.unavailable_value})
    if preset.unavailable_value -%}
{%- endif -%}
{{ return(defaults) }}
{%- endmacro %}

{#- For people: what a format has filled in, {format, arguments}; none without one. -#}
{% macro filled_in(format, node) -%}
{%- set arguments = {} -%}
{%- for name, value in format.defaults.items() if node.config.get(name) is none -%}
{%- do arguments.update({name: value}) -%}
{%- endfor -%}
{{ return({'format': format.wire.name, 'arguments': arguments} if format.wire else none) }}
{%- endmacro %}

{#- What the CTEs of a format say. -#}
{% macro _wire(where, node, preset, row, schema, fields, names, order) -%}
{%- set found, leaves_out = fields | map(attribute='name') | list, [] -%}
{%- set key_texts = dbt_changelog.wire_key_texts(where, node, preset, row, names) -%}
{%- set made = dbt_changelog.wire_images(preset, row, key_texts) -%}
{%- set key_columns = dbt_changelog.wire_key_columns(preset, row, key_texts) -%}
{#- a column that is made anew: one of the format, or the key of the message -#}
{%- set renewed = found + [dbt_changelog.find_name('key', names)] | select | list -%}
{%- for name in preset.leaves_out + made.images | list + key_columns | list -%}
{%- set there = dbt_changelog.find_name(name, renewed) -%}
{%- do leaves_out.append(there) if there not in leaves_out + [none] -%}
{%- endfor -%}
{%- do leaves_out.append('_dbtc_unread') if schema -%}
{{ return({
  'name': preset.name,
  'schema': dbt_changelog.whole_schema(preset, schema),
  'inside': preset.inside,
  'fields': found if schema else [],
  'documents': dbt_changelog.wire_documents(preset, row),
  'explode': preset.explode,
  'of_message': preset.of_message,
  'derived': preset.derived,
  'leaves_out': leaves_out,
  'drops': preset.drops,
  'images': made.images,
  'texts': made.texts,
  'read': made.read,
  'unread': made.unread,
  'key_columns': key_columns,
  'unsent': dbt_changelog.wire_unsent_sql(preset, row, 'after')
    if node.config.get('unique_key') else none,
  'order': order,
  'op': node.config.get('op') or preset.op,
  'unreadable_events': dbt_changelog.unreadable_events(node, preset, row),
  'unreadable_values': dbt_changelog.unreadable_values(node, preset, row, fields),
}) }}
{%- endmacro %}
