{#-
  The columns of the rows in messages, as their values look, [{name, type, amount, as_text}]. A text
  of digits is a number only where the format reads numbers from text: as_text says that it is one.
-#}
{% macro row_of_texts(preset, names, sampled) -%}
{%- set chain, cells, row = dbt_changelog.fields_of_format_ctes(preset, names, sampled), [], [] -%}
{%- for field in dbt_changelog.describe_query('with ' ~ chain ~ '\n\nselect * from fields') -%}
{%- set name = dbt_changelog.quote(field.name) -%}
{%- set map = name if field.type == 'map<string,variant>'
    else 'transform_values(' ~ name ~ ', (name, cell) -> cast(cell as variant))'
      if field.type == 'map<string,string>'
    else 'from_json(' ~ name ~ ", 'map<string, variant>')" if field.name in preset.documents
    else none -%}
{%- do cells.append('coalesce(map_entries(' ~ map ~ '), array())') if map -%}
{%- endfor -%}
{%- for column in run_query(dbt_changelog._columns_of_texts_sql(preset, chain, cells)).rows
    if cells -%}
{%- do row.append({'name': column[0], 'type': column[1], 'amount': column[2] | int,
                   'as_text': column[3]}) -%}
{%- endfor -%}
{{ return(row) }}
{%- endmacro %}

{#- The names in some maps, in their order, each with a type that fits all its values. -#}
{% macro _columns_of_texts_sql(preset, chain, cells) -%}
{%- set value, placeholder = 'string(cell.value)', preset.unavailable_value -%}
with {{ chain }},

cells as (
  select
    place,
    cell.key as name,
    {{ 'nullif(' ~ value ~ ', ' ~ dbt_changelog.literal(placeholder) ~ ')' if placeholder
       else value }} as value,
    split_part(schema_of_variant(cell.value), '(', 1) as kind
  from fields
  lateral view posexplode(concat({{ cells | join(', ') }})) as place, cell
)

select
  name,
  case
    when count(value) = 0 then 'string'
{%- for type, kinds, pattern in [
  ["'boolean'", ['BOOLEAN'], '^(true|false)$'],
  ["'bigint'", ['BIGINT'], '^(0|-?[1-9][0-9]{0,17})$'],
  ["'decimal(38, 0)'", ['BIGINT', 'DECIMAL'], '^(0|-?[1-9][0-9]{0,37})$'],
  ["concat('decimal(38, ', max(length(split_part(value, '.', 2))), ')')", ['BIGINT', 'DECIMAL'],
   '^-?[0-9]+([.][0-9]+)?$'],
  ["'double'", ['BIGINT', 'DECIMAL', 'DOUBLE'], '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$'],
  ["'date'", ['STRING'], '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'],
  ["'timestamp'", ['STRING'], '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:.*$'],
] %}
{%- set kinds = kinds + (['STRING'] if preset.texts == 'all' else []) | unique | list %}
    when count_if(
      value rlike '{{ pattern }}'
      and kind in ({{ dbt_changelog.literals(kinds) }})
    ) = count(value) then {{ type }}
{%- endfor %}
    else 'string'
  end as type,
  count(value) as amount,
  coalesce(bool_or(kind = 'STRING' and value is not null), false) as as_text
from cells
group by name
order by min(place), name
{%- endmacro %}
