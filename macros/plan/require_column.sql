{#- Columns that are named: there, of a type that will do, and not ours. -#}

{#-
  The column as the input spells it; an error that names the columns when it is not there. relation:
  whose columns they are, if not the query's; others: columns that the query has beside them.
-#}
{% macro require_column(where, argument, name, names, relation=none, others=[]) -%}
{%- set found = dbt_changelog.find_name(name, names) -%}
{%- if found is none -%}
{%- set near = dbt_changelog.nearest_name(name, names) -%}
{%- do dbt_changelog.raise_invalid(where, argument, "column '" ~ name
    ~ "' is not in " ~ (relation if relation else 'the input') ~ '. Its columns are: '
    ~ names | join(', '),
    ("write '" ~ near ~ "' instead of '" ~ name ~ "'" if near
     else 'name a column of ' ~ relation if relation else 'name one of them')
    ~ ("" if relation
       else "; '" ~ name ~ "' is in the query, but not among what can be named here"
       if dbt_changelog.find_name(name, others) is not none
       else ", or select '" ~ name ~ "' in the query")) -%}
{%- endif -%}
{{ return(found) }}
{%- endmacro %}

{#- Each of the columns as the input spells it. -#}
{% macro require_columns(where, argument, wanted, names, others=[]) -%}
{%- set found = [] -%}
{%- for name in wanted -%}
{%- do found.append(dbt_changelog.require_column(
    where, argument, name, names, others=others)) -%}
{%- endfor -%}
{{ return(found) }}
{%- endmacro %}

{#- Keys and sequences are compared: maps and variants can't be. -#}
{% macro check_orderable(where, argument, name, types) -%}
{%- if modules.re.search('map<|variant|interval', types[name]) -%}
{%- do dbt_changelog.raise_invalid(where, argument, 'its type is ' ~ types[name]
    ~ ', which has no order', 'name a column of another type, or cast it in the query') -%}
{%- endif -%}
{%- endmacro %}

{#- Whether rows of these columns can be compared: maps, variants and intervals can't. -#}
{% macro is_orderable(columns) -%}
{{ return(modules.re.search('map<|variant|interval', columns | map(attribute='type') | join(' '))
          is none) }}
{%- endmacro %}

{#- What is stored must have a type that tables have: Delta and Iceberg know no intervals. -#}
{% macro check_storable(where, file_format, columns) -%}
{%- set format = dbt_changelog.format_of(file_format) -%}
{%- for column in columns if format.merges
    and modules.re.search('(^|[:<,])interval($|[ >,])', column.type) -%}
{%- do dbt_changelog.raise_invalid(where, 'input', "column '" ~ column.name ~ "' is "
    ~ column.type ~ ', which a table of ' ~ format.name ~ ' does not hold',
    'cast it to string, or to a number, in the query') -%}
{%- endfor -%}
{%- endmacro %}

{#-
  None of the names may be one that we write beside them: those that are stored, by name, and all
  that begin with _dbtc_, which stand beside the user's columns while a statement runs.
-#}
{% macro check_generated(where, names, stored=none) -%}
{%- for name in names if name.lower().startswith('_dbtc_')
    or dbt_changelog.find_name(name, stored or dbt_changelog.generated_columns()) is not none -%}
{%- do dbt_changelog.raise_invalid(where, 'input',
    "its column '" ~ name ~ "' has the name of a column that is generated",
    'rename or leave it out in the query') -%}
{%- endfor -%}
{%- endmacro %}

{#- The columns of our tables beside the user's. -#}
{% macro generated_columns() -%}
{{ return(['_row_kind', '_sequence', '_ordinal', '_batch_id', '_position', '_image_hash', '_weight',
           '_weight_before', '_was_live', '_changed_at', '_upserted', '_removed', '_sequences',
           '_places', '_places_before']) }}
{%- endmacro %}
