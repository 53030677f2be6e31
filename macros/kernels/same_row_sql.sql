{#- Whole rows: how one is found again, and how nothing is done to one twice. -#}

{#- Whether two rows are the same: found by their hash, decided by all of their columns. -#}
{% macro same_row_sql(plan) -%}
{{ return((['state._image_hash = change._image_hash']
           + dbt_changelog.equal_columns(plan.compared, 'state.', 'change.')) | join('\n  and ')) }}
{%- endmacro %}

{#- What is true of two equal rows, column by column, as a list of SQL. -#}
{% macro equal_columns(columns, ours, theirs) -%}
{%- set terms, comparable = [], dbt_changelog.comparable_sql -%}
{%- for column in columns -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- do terms.append(comparable(ours ~ name, column) ~ ' <=> ' ~ comparable(theirs ~ name, column))
-%}
{%- endfor -%}
{{ return(terms) }}
{%- endmacro %}

{#-
  A 64-bit hash of a whole row: columns stand in it by name, whatever their order in the query.
  Where rows are looked for by it, and compared after, it may skip NULLs; tells_nulls: it also says
  alone whether two rows differ.
-#}
{% macro row_hash_sql(plan, tells_nulls=false) -%}
{%- set terms = [] -%}
{%- for column in plan.compared -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- set value = dbt_changelog.hashable_sql(name, column) -%}
{%- do terms.append('isnull(' ~ name ~ ')') if tells_nulls -%}
{#- the hash of a struct is never NULL -#}
{%- do terms.append('if(' ~ name ~ ' is null, null, ' ~ value ~ ')'
    if column.parts and not tells_nulls else value) -%}
{%- endfor -%}
{{ return('xxhash64(' ~ terms | join(', ') ~ ')' if terms else 'cast(0 as bigint)') }}
{%- endmacro %}

{#-
  What groups equal rows, {selected, groups}, both lists of SQL. columns: [{name, type, parts}].
  Rows are grouped by what compares; of equal rows any one's values stay (0.0 and -0.0, the order of
  a map).
-#}
{% macro equal_rows(columns) -%}
{%- set selected, groups = [], [] -%}
{%- for column in columns -%}
{%- set place = dbt_changelog.quote(column.name) -%}
{%- set comparable = dbt_changelog.comparable_sql(place, column) -%}
{%- do groups.append(comparable) -%}
{%- do selected.append(place if comparable == place
    else 'any_value(' ~ place ~ ') as ' ~ place) -%}
{%- endfor -%}
{{ return({'selected': selected, 'groups': groups}) }}
{%- endmacro %}

{#-
  The condition of a MERGE for a stored row to be changed. Each row that a batch writes gets its id,
  so one that has the id already was written by this very batch, in another run: to change it again
  would count twice.

  Delta evaluates conditions on unmatched rows with NULL columns: the error must stand in the branch
  of an equality.
-#}
{% macro is_written_once_sql(plan) -%}
if(
  state._batch_id = change._batch_id,
  {{ dbt_changelog.raise_error_sql(
    'The state of ' ~ plan.where ~ ' has rows of a batch that was not committed, ',
    'change._batch_id', ': another run works on it, or its staged changes were lost.\nTo fix: let'
    ~ ' the other run end and run again; if there is none, run with --full-refresh if the'
    ~ ' source still has all events.') }},
  true
)
{%- endmacro %}
