{#-
  The format whose op codes and order most of the rows have, {preset, fits, events, others}; none,
  if no format reads them. Of several that read them equally one with an order comes first.
-#}
{% macro format_of_rows(columns, sampled) -%}
{%- set names, queries, presets, found = columns | map(attribute='name') | list, [], {}, [] -%}
{%- set value = dbt_changelog.find_name('value', names) -%}
{%- set text = columns | selectattr('name', 'equalto', value)
    | selectattr('type', 'in', ['string', 'binary']) | list -%}
{%- for name in dbt_changelog.preset_names() -%}
{%- for preset in dbt_changelog.presets_of(name)
    if (text if preset.value else not dbt_changelog.missing_names(preset.reads, names)) -%}
{%- do presets.update({preset.name: preset}) -%}
{%- do queries.append(dbt_changelog._fit_sql(preset, names, sampled)) -%}
{%- endfor -%}
{%- endfor -%}
{%- for row in (run_query(queries | join('\nunion all\n')).rows if queries else [])
    if row[2] | int > 0 -%}
{%- set preset = presets[row[0]] -%}
{%- do found.append({'preset': preset, 'events': row[1] | int, 'fits': row[2] | int,
    'rank': [-(row[2] | int), 0 if preset.orders else 1, -(preset.reads | length)]}) -%}
{%- endfor -%}
{%- set found = found | sort(attribute='rank') -%}
{{ return(dict(found[0], others=found[1:] | selectattr('fits', 'equalto', found[0].fits)
    | map(attribute='preset.name') | list) if found else none) }}
{%- endmacro %}

{#- How many of the rows are events of a format: their op code is one, and their order is there. -#}
{% macro _fit_sql(preset, names, sampled) -%}
{%- set codes, ways = [], [] -%}
{%- for codes_of_kind in preset.op_mapping -%}
{%- do codes.extend(codes_of_kind.split(',') | map('trim')) -%}
{%- endfor -%}
{%- for way in preset.orders if preset.value -%}
{%- do ways.append(way.needs[0] ~ ' is not null' if way.get('needs')
    else '(' ~ way.order | join(') is not null and (') ~ ') is not null') -%}
{%- endfor -%}
{%- set fits = preset.op ~ ' in (' ~ dbt_changelog.literals(codes) ~ ')'
    ~ (' and (' ~ ways | join(' or ') ~ ')' if ways else '') -%}
(
with {{ dbt_changelog.fields_of_format_ctes(preset, names, sampled) }}

select {{ dbt_changelog.literal(preset.name) }} as format, count(*) as events,
  count_if({{ fits }}) as fits
from fields
)
{%- endmacro %}

{#-
  The rows as the fields of a format's messages, as CTEs: -> `fields`. The row of a message is a map
  from its columns to their values, since nobody knows its columns yet.
-#}
{% macro fields_of_format_ctes(preset, names, sampled) -%}
{%- set read = ['value', 'key'] | select('in', names | map('lower') | list) | list
    if preset.value else ['*'] -%}
{%- set schema = (preset.value or '') | replace('{row}', 'map<string, variant>')
                                      | replace('{cells}', 'variant') -%}
{%- set wire = dict(preset, schema=dbt_changelog.whole_schema(preset, schema), documents={},
    fields=dbt_changelog.wire_fields('this operation', schema, read) | map(attribute='name') | list)
    if preset.value else {'schema': none} -%}
source_events as (
  select {{ read | join(', ') }}{{ sampled | indent(2) }}
),

{{ dbt_changelog.message_ctes(wire) if wire.schema }}
fields as (
  select *
  from {{ dbt_changelog.message_cte(wire) }}
{%- for condition in preset.drops.values() %}
  {{ 'where' if loop.first else '  and' }} not coalesce({{ condition }}, false)
{%- endfor %}
)
{%- endmacro %}
