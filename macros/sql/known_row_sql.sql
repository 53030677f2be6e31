{#-
  A row as {row, equal}, to compare it (rows_equal_sql): what has no equality (maps, variants) by
  what stands for it, all else by the row itself. Where the columns are not known Spark chooses.
  shown: what to give as the row.
-#}
{% macro known_row_sql(plan, row, shown=none) -%}
{%- set columns = [] -%}
{%- for column in (plan.compared if plan.knows_rows and not plan.orderable else []) -%}
{%- do columns.append(dbt_changelog.comparable_sql(
    row ~ '.' ~ dbt_changelog.quote(column.name), column)) -%}
{%- endfor -%}
{%- if plan.knows_rows -%}
struct({{ shown or row }} as row
  {{- ', struct(' ~ columns | join(', ') ~ ') as equal' if not plan.orderable }})
{%- else -%}
struct(
  {{ shown or row }} as row,
  if(
    typeof({{ row }}) rlike 'map<|variant',
    {{ dbt_changelog.equal_text_sql(plan, row) | indent(4) }},
    null
  ) as equal
)
{%- endif -%}
{%- endmacro %}

{#- Whether two rows as known_row_sql gives them are equal; NULL equals NULL, NaN equals NaN. -#}
{% macro rows_equal_sql(plan, ours, theirs) -%}
{{ return(dbt_changelog.row_to_compare(plan, ours) ~ ' <=> '
          ~ dbt_changelog.row_to_compare(plan, theirs)) }}
{%- endmacro %}

{#- What of a row as known_row_sql gives it is compared, or grouped by. -#}
{% macro row_to_compare(plan, known) -%}
{{ return(known ~ ('.row' if plan.orderable else '.equal') if plan.knows_rows
          else 'identifier(if(typeof(' ~ known ~ ".row) rlike 'map<|variant', '"
            ~ known ~ ".equal', '" ~ known ~ ".row'))") }}
{%- endmacro %}

{#-
  A row whose columns are not known as a text that equal rows share. Read again, a text has the
  entries of a map in order, and 0 for -0.0. Spark knows the type of the row before it runs, and
  leaves out what that does not need.

  A small decimal is written as 1.2E-7, and that would be read as a double: such a row is first read
  with its decimals as strings, where its type can be written. What JSON can't spell is an error.
-#}
{% macro equal_text_sql(plan, row) -%}
{%- set type, text = 'typeof(' ~ row ~ ')', dbt_changelog.row_text_sql(row) -%}
{%- set is_small = type ~ " rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]'" -%}
{%- set as_strings = "regexp_replace(regexp_replace(" ~ type ~ ", 'map<[^,(<]+([(][^)]*[)])?,',"
    ~ " 'map<string,'), 'decimal[(][^)]*[)]', 'string')" -%}
{%- set reread = 'from_json(' ~ text ~ ', if(' ~ is_small ~ ' and not ' ~ type
    ~ " rlike '[^A-Za-z0-9_:,<>()]', " ~ as_strings ~ ", 'struct<_:int>'), map("
    ~ dbt_changelog.text_formats() ~ '))' -%}
if(
  {{ type }} rlike 'map<|variant|float|double',
  if(
    {{ type }} rlike 'map<(binary|struct|array)'
      or ({{ is_small }} and {{ type }} rlike '[^A-Za-z0-9_:,<>()]'),
    {{ dbt_changelog.unspelled_error_sql(plan, type) }},
    to_json(parse_json(if({{ is_small }}, {{ dbt_changelog.row_text_sql(reread) }}, {{ text }})))
  ),
  {{ text }}
)
{%- endmacro %}

{#- The error for rows of a type that JSON can't spell, or that Spark can't read from it. -#}
{% macro unspelled_error_sql(plan, type) -%}
{{ return(dbt_changelog.raise_error_sql('Invalid input in ' ~ plan.where ~ ': rows of type ', type,
  ' can not be compared here, since JSON can not spell their keys, or their decimals beside'
  ~ ' such names.\nTo fix: cast keys of maps to string, and rename columns, in the query.')) }}
{%- endmacro %}
