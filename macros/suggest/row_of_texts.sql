{#- The columns of the rows in messages, as their values look, [{name, type, amount}]. -#}
{% macro row_of_texts(preset, names, sampled) -%}
{%- set chain, cells, row = dbt_changelog.fields_of_format_ctes(preset, names, sampled), [], [] -%}
{%- for field in dbt_changelog.describe_query('with ' ~ chain ~ '\n\nselect * from fields') -%}
{%- set name = dbt_changelog.quote(field.name) -%}
{%- set map = name if field.type == 'map<string,string>'
    else 'transform_values(' ~ name ~ ', (name, cell) -> string(cell))'
      if field.type == 'map<string,variant>'
    else 'from_json(' ~ name ~ ", 'map<string, string>')" if field.name in preset.documents
    else none -%}
{%- do cells.append('coalesce(map_entries(' ~ map ~ '), array())') if map -%}
{%- endfor -%}
{%- for column in run_query(dbt_changelog._columns_of_texts_sql(chain, cells,
    dbt_changelog.literal(preset.unavailable_value or ''))).rows if cells -%}
{%- do row.append({'name': column[0], 'type': column[1], 'amount': column[2] | int}) -%}
{%- endfor -%}
{{ return(row) }}
{%- endmacro %}

{#- The names in some maps, in their order, each with a type that fits all its values. -#}
{% macro _columns_of_texts_sql(chain, cells, placeholder) -%}
with {{ chain }},

cells as (
  select place, cell.key as name, nullif(cell.value, {{ placeholder }}) as value
  from fields
  lateral view posexplode(concat({{ cells | join(', ') }})) as place, cell
)

select
  name,
  case
    when count(value) = 0 then 'string'
{%- for type, pattern in {
  "'boolean'": '^(true|false)$',
  "'bigint'": '^(0|-?[1-9][0-9]{0,17})$',
  "'decimal(38, 0)'": '^(0|-?[1-9][0-9]{0,37})$',
  "concat('decimal(38, ', max(length(split_part(value, '.', 2))), ')')": '^-?[0-9]+[.][0-9]+$',
  "'double'": '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$',
  "'date'": '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  "'timestamp'": '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:.*$',
}.items() %}
    when count_if(value rlike '{{ pattern }}') = count(value) then {{ type }}
{%- endfor %}
    else 'string'
  end as type,
  count(value) as amount
from cells
group by name
order by min(place), name
{%- endmacro %}
