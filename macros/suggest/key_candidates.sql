{#- What may be the key: the columns of the message's key, then by their names, then two. -#}
{% macro key_candidates(row, table, sampled, has_key) -%}
{%- set names, found, pairs = row | map(attribute='name') | list, [], [] -%}
{%- if has_key -%}
{%- set key = 'cast(key as string)' -%}
{%- set rows = run_query("select to_json(json_object_keys(coalesce(get_json_object(" ~ key
    ~ ", '$.payload'), " ~ key ~ '))) from (select key' ~ sampled ~ ') where key is not null'
    ~ ' limit 1').rows -%}
{%- set own = fromjson(rows[0][0] or '[]') if rows else [] -%}
{%- do found.append(own) if own and not own | reject('in', names) | list -%}
{%- endif -%}
{%- set singular = table.identifier | lower | replace('_events', '') | trim('s') -%}
{%- for pattern in ['^_?id$|^(pk|key|uuid|guid|sku|code)$',
                    '^' ~ modules.re.escape(singular) ~ '_?(id|key|no|code)$',
                    '(id|key|uuid|guid|_no|_nr|number|code|sku)$'] -%}
{%- for name in dbt_changelog.columns_named_like(
      row, pattern, '(\\w*int|decimal|string|date|binary)')
    if [name] not in found -%}
{%- do found.append([name]) -%}
{%- endfor -%}
{%- endfor -%}
{%- set single = (found if found else [names[:1]])[:4] -%}
{%- for first, second in [(0, 1), (0, 2), (1, 2)] if second < single | length
    and single[first] | length == 1 and single[second] | length == 1
    and single[first] + single[second] not in single -%}
{%- do pairs.append(single[first] + single[second]) -%}
{%- endfor -%}
{{ return(single + pairs) }}
{%- endmacro %}

{#- The columns whose name and type look so. -#}
{% macro columns_named_like(columns, pattern, types) -%}
{%- set found = [] -%}
{%- for column in columns if modules.re.search(pattern, column.name | lower)
    and modules.re.match(types, column.type) -%}
{%- do found.append(column.name) -%}
{%- endfor -%}
{{ return(found) }}
{%- endmacro %}
