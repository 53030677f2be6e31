{#- Columns that are named: there, of a type that will do, and not ours. -#}

{#- The column as the input spells it; an error that names the columns when it is not there. -#}
{% macro require_column(where, argument, name, names) -%}
{%- set found = dbt_changelog.find_name(name, names) -%}
{%- if found is none -%}
{%- set near = dbt_changelog.nearest_name(name, names) -%}
{%- do dbt_changelog.raise_invalid(where, argument, "column '" ~ name
    ~ "' is not in the input. Its columns are: " ~ names | join(', '),
    ("write '" ~ near ~ "' instead of '" ~ name ~ "'" if near else 'name one of them')
    ~ ", or select '" ~ name ~ "' in the query") -%}
{%- endif -%}
{{ return(found) }}
{%- endmacro %}

{#- Each of the columns as the input spells it. -#}
{% macro require_columns(where, argument, wanted, names) -%}
{%- set found = [] -%}
{%- for name in wanted -%}
{%- do found.append(dbt_changelog.require_column(where, argument, name, names)) -%}
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
           '_weight_before', '_was_live', '_changed_at']) }}
{%- endmacro %}
