{#- What Spark says of the columns of a query, by analysis alone: nothing is read. -#}

{#-
  The columns of a query with what is inside nested ones: [{name, type, parts}], parts again such a
  list: the fields of a struct, the item of an array, key and value of a map; none of other types.

  By analysis, a statement per level of nesting: the text of a type is no type, since Spark cuts
  long structs short in it and writes names without quotes. So types are written anew of their
  parts.
-#}
{% macro describe_columns(query) -%}
{{ return(dbt_changelog.described_columns(query, dbt_changelog.describe_query(query))) }}
{%- endmacro %}

{#- The same, or what Spark says against the query: {columns, error}, one of them none. -#}
{% macro try_describe(query) -%}
{%- set outcome = dbt_changelog.attempt('describe query ' ~ query) -%}
{{ return({'error': outcome.error, 'columns': none if outcome.error
    else dbt_changelog.described_columns(query, dbt_changelog._named_types(outcome.table))}) }}
{%- endmacro %}

{#- The same, where the columns are known, and only what is inside nested ones is not. -#}
{% macro described_columns(query, columns) -%}
{%- set level = namespace(items=dbt_changelog._nested(columns, none)) -%}
{%- for _ in range(100) if level.items -%}
{%- set level.items = dbt_changelog._describe_parts(query, level.items) -%}
{%- endfor -%}
{{ return(dbt_changelog._whole_types(columns)) }}
{%- endmacro %}

{#- The nested ones of some columns, {column, path}: parts to be found. -#}
{% macro _nested(columns, parent) -%}
{%- set items = [] -%}
{%- for column in columns -%}
{%- set is_nested = modules.re.match('(struct|array|map)<', column.type) is not none -%}
{%- do column.update({'parts': [] if is_nested else none}) -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- set path = name if parent is none else {
  'struct': parent.path ~ '.' ~ name,
  'array': parent.path ~ '[0]',
  'map': 'map_' ~ column.name ~ 's(' ~ parent.path ~ ')[0]',
}[parent.column.type.split('<')[0]] -%}
{%- do items.append({'column': column, 'path': path}) if is_nested -%}
{%- endfor -%}
{{ return(items) }}
{%- endmacro %}

{#- Finds the parts of all items of a level at once; gives the items of the next. -#}
{% macro _describe_parts(query, items) -%}
{%- set inner, outer, begins, next = [], [], '_dbtc_parts', [] -%}
{%- for item in items -%}
{%- set place = '_' ~ loop.index -%}
{%- do inner.append(item.path ~ ' as ' ~ place) -%}
{%- do outer.append('null as ' ~ begins ~ ', ' ~ {
  'struct': place ~ '.*',
  'array': place ~ '[0] as item',
  'map': 'map_keys(' ~ place ~ ')[0] as key, map_values(' ~ place ~ ')[0] as value',
}[item.column.type.split('<')[0]]) -%}
{%- endfor -%}
{%- set at = namespace(item=-1) -%}
{%- for part in dbt_changelog.describe_query('select ' ~ outer | join(', ') ~ ' from (select '
    ~ inner | join(', ') ~ ' from (\n' ~ query ~ '\n))') -%}
{%- if part.name == begins -%}
{%- set at.item = at.item + 1 -%}
{%- else -%}
{%- do items[at.item].column.parts.append(part) -%}
{%- endif -%}
{%- endfor -%}
{%- for item in items -%}
{%- do next.extend(dbt_changelog._nested(item.column.parts, item)) -%}
{%- endfor -%}
{{ return(next) }}
{%- endmacro %}

{% macro _whole_types(columns) -%}
{%- for column in columns if column.parts is not none -%}
{%- set kind, inner = column.type.split('<')[0], [] -%}
{%- for part in dbt_changelog._whole_types(column.parts) -%}
{%- set is_plain = modules.re.fullmatch('[A-Za-z_][A-Za-z_0-9]*', part.name) is not none -%}
{%- do inner.append(((part.name if is_plain else dbt_changelog.quote(part.name)) ~ ':'
    if kind == 'struct') ~ part.type) -%}
{%- endfor -%}
{%- do column.update({'type': kind ~ '<' ~ inner | join(',') ~ '>'}) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}

{#- The columns of a query as [{name, type}], by analysis alone: nothing is read. -#}
{% macro describe_query(sql) -%}
{{ return(dbt_changelog._named_types(run_query('describe query ' ~ sql))) }}
{%- endmacro %}

{% macro _named_types(rows) -%}
{%- set columns = [] -%}
{%- for row in rows -%}
{%- do columns.append({'name': row[0], 'type': row[1]}) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}

{#- The columns of a relation with these names: [{name, type, parts}]. -#}
{% macro columns_named(model, names) -%}
{%- set columns = [] -%}
{%- for column in dbt_changelog.describe_columns('select * from ' ~ model)
    if dbt_changelog.find_name(column.name, names) is not none -%}
{%- do columns.append(column) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}
