{#-
  The rows of a table that is to be a model's state, as its events: {events, reader, partial,
  order}. events: a query, each row an insert, and a delete after it, if the row is flagged as
  deleted; reader: the plan by which they are read, flat, whatever the model's events are; partial:
  the columns whose values a row may lack; order: the columns of the table that order its rows as
  sequence_by orders events, or none: then each has a sequence below those of all events.
-#}
{% macro adopted_rows(plan, table) -%}
{%- set columns = dbt_changelog.describe_columns('select * from ' ~ table) -%}
{%- set sequence = plan.state_columns | selectattr('name', 'equalto', '_sequence') | first -%}
{%- set names, rows, items, left = plan.payload + plan.passthrough, [], [], [] -%}
{%- for column in plan.state_columns if column.name in names and column.name != plan.soft_delete -%}
{%- do rows.append(column) -%}
{%- set value, name = dbt_changelog._column_of_table_sql(plan, table, columns, column),
    dbt_changelog.quote(column.name) -%}
{%- do items.append(value ~ (' as ' ~ name if value != name)) -%}
{%- endfor -%}
{%- set order = dbt_changelog._order_of_rows(plan, columns) -%}
{%- for column in columns if dbt_changelog.find_name(column.name, names + order) is none -%}
{%- do left.append(column.name) -%}
{%- endfor -%}
{%- do exceptions.warn('The table ' ~ table ~ ', which ' ~ plan.where
    ~ ' adopts, has columns that the model has not: ' ~ left | join(', ')
    ~ '. They stay in the table alone, which is renamed. To fix: select them in the query, if the'
    ~ ' contents are to have them.') if left -%}
{{ return({
  'events': dbt_changelog._events_of_rows_sql(plan, table, columns, items, order),
  'reader': dbt_changelog.with_flag(dict(dbt_changelog.decode_plan(plan.where, {
    'op': '_dbtc_op', 'unique_key': plan.unique_key, 'sequence_by': '_dbtc_sequence',
    'op_mapping': dict({'INSERT': 'INSERT'}, **({'DELETE': 'DELETE'} if plan.soft_delete else {})),
  }, {
    'input': [{'name': '_dbtc_op', 'type': 'string'}, dict(sequence, name='_dbtc_sequence')] + rows,
    'before': [],
    'after': [],
  }), soft_delete=plan.soft_delete)),
  'partial': dbt_changelog._partial_columns_of_rows(plan),
  'order': order,
}) }}
{%- endmacro %}

{#-
  The events that made the rows, as far as the table tells. What a deleted row has was set before
  its deletion, nobody knows when.
-#}
{% macro _events_of_rows_sql(plan, table, columns, items, order) -%}
{%- set sequence_sql = dbt_changelog._sequence_of_rows_sql -%}
{%- set found = dbt_changelog.find_name(plan.soft_delete, columns | map(attribute='name'))
    if plan.soft_delete else none -%}
{%- set flag = dbt_changelog._column_of_table_sql(plan, table, columns,
    {'name': plan.soft_delete, 'type': 'boolean'}) if found else none -%}
{%- set sequence = sequence_sql(plan, table, columns, order) -%}
{%- set rows = ",\n  " ~ items | join(',\n  ') ~ '\nfrom ' ~ table -%}
{%- set insert = sequence if not found
    else dbt_changelog.call_sql('if',
      [flag, sequence_sql(plan, table, columns, []), sequence]) | indent(2) -%}
{%- set events = ["select\n  'INSERT' as _dbtc_op,\n  " ~ insert ~ ' as _dbtc_sequence' ~ rows] -%}
{%- do events.append("select\n  'DELETE' as _dbtc_op,\n  "
    ~ sequence_sql(plan, table, columns, order, true) ~ ' as _dbtc_sequence' ~ rows
    ~ '\nwhere ' ~ flag) if found -%}
{{ return(events | join('\nunion all\n')) }}
{%- endmacro %}

{#- All that the table has counts as sent, NULL too; but a placeholder says that no one knows. -#}
{% macro _partial_columns_of_rows(plan) -%}
{%- set partial = [] -%}
{%- for column in plan.partial -%}
{%- set is_placeholder = dbt_changelog.placeholder_sql(
    plan.unavailable_value, dbt_changelog.quote(column.name), column.type) -%}
{%- do partial.append(dict(column, unsent='coalesce(' ~ is_placeholder ~ ', false)'
    if is_placeholder else 'false')) -%}
{%- endfor -%}
{{ return(partial) }}
{%- endmacro %}

{#- A column of the model, in the table: there, and of a type whose values the model has. -#}
{% macro _column_of_table_sql(plan, table, columns, column) -%}
{%- set refuse, name, type = dbt_changelog.raise_invalid, column.name, column.type -%}
{%- set found = dbt_changelog.find_name(name, columns | map(attribute='name')) -%}
{%- if found is none -%}
{%- do refuse(plan.where, 'adopt', 'the table ' ~ table ~ " has no column '" ~ name
    ~ "', which the model has", 'add it to the table, or leave it out of the query') -%}
{%- endif -%}
{%- set given = dbt_changelog.stored_type(plan.storage.file_format,
    (columns | selectattr('name', 'equalto', found) | first).type) -%}
{%- if given != type and not dbt_changelog.is_widening(given, type) -%}
{%- do refuse(plan.where, 'adopt', "column '" ~ name ~ "' is " ~ type ~ ' in the model and '
    ~ given ~ ' in the table ' ~ table, 'cast it in the query, or change it in the table') -%}
{%- endif -%}
{%- set value = dbt_changelog.quote(found) -%}
{{ return(value if given == type else 'cast(' ~ value ~ ' as ' ~ type ~ ')') }}
{%- endmacro %}

{#- The columns of sequence_by, if all of it is columns, and the table has them. -#}
{% macro _order_of_rows(plan, columns) -%}
{%- set known = columns | map(attribute='name') | list -%}
{%- for name in plan.sequence_names if dbt_changelog.find_name(name, known) is none -%}
{{ return([]) }}
{%- endfor -%}
{{ return(plan.sequence_names if plan.sequence_names | length == plan.sequence_by | length
          else []) }}
{%- endmacro %}

{#- The sequence of a row; where it is not known, one below all others, or the one after that. -#}
{% macro _sequence_of_rows_sql(plan, table, columns, order, second=false) -%}
{%- set sequence = plan.state_columns | selectattr('name', 'equalto', '_sequence') | first -%}
{%- set items = [] -%}
{%- for name in order -%}
{%- set part = sequence.parts[loop.index0] if order | length > 1 else sequence -%}
{%- do items.append('coalesce('
    ~ dbt_changelog._column_of_table_sql(plan, table, columns, dict(part, name=name)) ~ ', '
    ~ dbt_changelog.least_value_sql(part, second and loop.last) ~ ')') -%}
{%- endfor -%}
{{ return(dbt_changelog.sequence_sql(items) if items
          else dbt_changelog.least_value_sql(sequence, second)) }}
{%- endmacro %}
