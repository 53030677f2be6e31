{#-
  Keys as a user gives them, [{column: value}] -> {rows, texts}: of each the SQL of its columns,
  cast to their types, and the key as JSON. A value that its column can't hold as it is, such as 7.5
  of an int, is an error: it would be another key, or none.
-#}
{% macro parse_keys(plan, keys) -%}
{%- set example = {} -%}
{%- for name in plan.unique_key -%}
{%- do example.update({name: '..'}) -%}
{%- endfor -%}
{%- set fix = 'write a list like keys: ' ~ tojson([example]) -%}
{%- if not plan.unique_key -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'keys',
    'the model has no unique_key, so nothing says which rows belong together',
    'delete the events that have the values from the source, and run with --full-refresh') -%}
{%- elif keys is string or keys is mapping or keys is not iterable or not keys -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'keys', "'" ~ keys ~ "' is no list of keys", fix)
-%}
{%- endif -%}
{%- set rows, given = [], [] -%}
{%- for key in keys -%}
{%- set literals = dbt_changelog._literals_of_key(plan, key, fix) -%}
{%- set casts, typed = [], [] -%}
{%- for column in plan.key_columns -%}
{%- do typed.append('cast(' ~ literals[loop.index0] ~ ' as ' ~ column.type ~ ')') -%}
{%- do casts.append(dbt_changelog._exact_cast_sql(literals[loop.index0], column.type)) -%}
{%- endfor -%}
{%- do rows.append(typed) -%}
{%- do given.append('(' ~ (casts + literals) | join(', ') ~ ')') -%}
{%- endfor -%}
{{ return({'rows': rows, 'texts': dbt_changelog._texts_of_keys(plan, given)}) }}
{%- endmacro %}

{#- The values of a key as literals, in the order of the key's columns. -#}
{% macro _literals_of_key(plan, key, fix) -%}
{%- set names = plan.unique_key -%}
{%- if key is not mapping
    or key | map('lower') | sort != names | map('lower') | sort -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'keys', "'" ~ key ~ "' has other columns than the"
    ~ ' unique_key: ' ~ names | join(', '), fix) -%}
{%- endif -%}
{%- set literals = [] -%}
{%- for name in names -%}
{%- set value = key[dbt_changelog.find_name(name, key | list)] -%}
{%- if value is none or value is mapping or (value is iterable and value is not string) -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'keys', name ~ " is '" ~ value
    ~ "', and a key has one value in each of its columns", fix) -%}
{%- endif -%}
{%- do literals.append(dbt_changelog.literal(value)) -%}
{%- endfor -%}
{{ return(literals) }}
{%- endmacro %}

{#-
  A text as a value of a type; NULL if it is none. A rounded decimal is another value, and so is a
  date without its time.
-#}
{% macro _exact_cast_sql(literal, type) -%}
{%- set value = 'try_cast(' ~ literal ~ ' as ' ~ type ~ ')' -%}
{%- set whole = 'double' if type.startswith('decimal') else 'timestamp_ntz' if type == 'date' -%}
{{ return('if(cast(' ~ value ~ ' as ' ~ whole ~ ') = try_cast(' ~ literal ~ ' as ' ~ whole ~ '), '
    ~ value ~ ', null)' if whole else value) }}
{%- endmacro %}

{#- Each key as JSON, once all of them fit their columns. rows: their values, then as they came. -#}
{% macro _texts_of_keys(plan, rows) -%}
{%- set fields, casts, given, texts = [], [], [], [] -%}
{%- for column in plan.key_columns -%}
{%- do casts.append('_dbtc_' ~ loop.index) -%}
{%- do given.append('_dbtc_given_' ~ loop.index) -%}
{%- do fields.append(dbt_changelog.literal(column.name) ~ ', _dbtc_' ~ loop.index) -%}
{%- endfor -%}
{%- for row in run_query('select\n  to_json(named_struct(' ~ fields | join(', ') ~ ')),\n  '
    ~ (casts + given) | join(',\n  ') ~ '\nfrom values\n  ' ~ rows | join(',\n  ') ~ '\nas keys ('
    ~ (casts + given) | join(', ') ~ ')').rows -%}
{%- for column in plan.key_columns -%}
{%- do dbt_changelog.raise_invalid(plan.where, 'keys', "'" ~ row[loop.index + casts | length]
    ~ "' is no " ~ column.type ~ ', as the key column ' ~ column.name ~ ' is',
    'write a value that the column has') if row[loop.index] is none -%}
{%- endfor -%}
{%- do texts.append(row[0]) -%}
{%- endfor -%}
{{ return(texts) }}
{%- endmacro %}
