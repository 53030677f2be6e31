{#-
  Two tables -> the changelog that makes the one of the other, as CTEs: the last is `differences`,
  with _row_kind, _sequence, _ordinal before the columns of the later table. before, after: anything
  that can stand in a from.

  plan: {where, unique_key, sequence, knows_rows}; sequence: SQL that orders these changes after
  those of other diffs; knows_rows: both have the columns of plan.compared and the key; else Spark
  knows them when it runs.
-#}
{% macro diff_ctes(plan, before, after) -%}
{{ (dbt_changelog._keyed_ctes if plan.unique_key
    else dbt_changelog._counted_ctes)(plan, before, after) }}
{%- endmacro %}

{#- With a key: one join of the rows of both, and what became of each. -#}
{% macro _keyed_ctes(plan, before, after) -%}
{%- set key, live = dbt_changelog.csv(plan.unique_key), dbt_changelog.is_live_sql() -%}
{%- set typed = plan.knows_rows -%}
_dbtc_before_rows as (
  {{ dbt_changelog._side_sql(plan, before, '_dbtc_before') | indent(2) }}
),

_dbtc_after_rows as (
  {{ dbt_changelog._side_sql(plan, after, '_dbtc_after') | indent(2) }}
),

pairs as (
  select *
  from _dbtc_before_rows
  full outer join _dbtc_after_rows using ({{ key }})
),
{% if not typed %}
{{ dbt_changelog._one_type_ctes(plan, 'pairs') }},
{% endif %}
compared_pairs as (
  select
    {{ key }},
    _dbtc_before_is_second or _dbtc_after_is_second as _dbtc_is_second,
    {{ dbt_changelog.known_row_sql(plan, '_dbtc_before' if typed else '_dbtc_before_row')
       | indent(4) }} as _dbtc_old,
    {{ dbt_changelog.known_row_sql(plan, '_dbtc_after') | indent(4) }} as _dbtc_new
  from {{ 'pairs' if typed else 'rows_of_one_type' }}
),

changed_pairs as (
  select
    _dbtc_old,
    _dbtc_new,
    explode(case
      when {{ dbt_changelog._check_sql(plan) | indent(6) }} then null
      when _dbtc_old.row is null then array('INSERT')
      when _dbtc_new.row is null then array('DELETE')
      when not {{ dbt_changelog.rows_equal_sql(plan, '_dbtc_old', '_dbtc_new') }}
        then array('UPDATE_BEFORE', 'UPDATE_AFTER')
    end) as _row_kind
  from compared_pairs
),

changed_rows as (
  select _row_kind, if({{ live }}, _dbtc_new.row, _dbtc_old.row) as _dbtc_row
  from changed_pairs
),

differences as (
  select
    _row_kind,
    {{ plan.sequence }} as _sequence,
    {{ dbt_changelog.ordinal_sql() }} as _ordinal,
    _dbtc_row.*
  from changed_rows
)
{%- endmacro %}

{#- Without a key: each row as often as its counts differ. -#}
{% macro _counted_ctes(plan, before, after) -%}
{%- if plan.knows_rows -%}
{%- set names = dbt_changelog.csv(plan.state_columns | map(attribute='name')) -%}
both_tables as (
  select {{ names }}, 1 as _weight
  from {{ after }}
  union all
  select {{ names }}, -1
  from {{ before }}
),

{{ dbt_changelog.weights_cte(plan.compared, 'both_tables', name='counted_rows') }},
{%- else -%}
{%- set names = '_dbtc_row.*' -%}
both_tables as (
  select struct(*) as _dbtc_before, null as _dbtc_after
  from {{ before }}
  union all
  select null, struct(*)
  from {{ after }}
),

{{ dbt_changelog._one_type_ctes(plan, 'both_tables') }},

all_rows as (
  select
    if(_dbtc_after is null, -1, 1) as _weight,
    coalesce(_dbtc_before_row, _dbtc_after) as _dbtc_row
  from rows_of_one_type
),

known_rows as (
  select
    _weight,
    {{ dbt_changelog.known_row_sql(plan, '_dbtc_row') | indent(4) }} as _dbtc_known
  from all_rows
),

counted_rows as (
  select
    any_value(_dbtc_known.row) as _dbtc_row,
    sum(_weight) as _weight
  from known_rows
  group by {{ dbt_changelog.row_to_compare(plan, '_dbtc_known') }}
),
{%- endif %}

differences as (
  select
    if(_weight > 0, 'INSERT', 'DELETE') as _row_kind,
    {{ plan.sequence }} as _sequence,
    0 as _ordinal,
    {{ names }}
  from counted_rows
  lateral view explode(array_repeat(0, cast(abs(_weight) as int))) copies as _dbtc_copy
)
{%- endmacro %}

{#- A table as one side of a diff with a key; of two rows of one key one knows of the other. -#}
{% macro _side_sql(plan, table, side) -%}
{%- set key = dbt_changelog.csv(plan.unique_key) -%}
select
  {{ key }},
  struct(*) as {{ side }},
  lag(true) over (partition by {{ key }} order by {{ key }}) as {{ side }}_is_second
from {{ table }}
{%- endmacro %}

{#- What stops a diff: a NULL in a key, two rows of one key. Else false. -#}
{% macro _check_sql(plan) -%}
{%- set key = 'to_json(struct(' ~ dbt_changelog.csv(plan.unique_key) ~ '))' -%}
{%- set nulls = dbt_changelog.csv(plan.unique_key, suffix=' is null', separator=' or ') -%}
case
  when {{ nulls }} then
    {{ dbt_changelog.raise_error_sql("Invalid 'unique_key' in " ~ plan.where
      ~ ': it is NULL in the row ', 'left(to_json(coalesce(_dbtc_new.row, _dbtc_old.row)), 200)',
      '.\nTo fix: name columns that are never NULL, or leave unique_key out: then rows are'
      ~ ' counted.') }}
  when _dbtc_is_second then
    {{ dbt_changelog.raise_error_sql("Invalid 'unique_key' in " ~ plan.where
      ~ ': two rows of one table have the key ', key,
      '.\nTo fix: add the columns that tell them apart, or leave unique_key out.') }}
  else false
end
{%- endmacro %}

{#-
  Rows before and after with one more, the row before in the columns of the row after
  (_dbtc_before_row), as CTEs: -> `rows_of_one_type`. By name, with NULL for what it lacks. The
  columns of neither are known here, but Spark knows the types: where these are one, nobody reads
  the rest, which then is of a row of nothing. Types whose text Spark can't read are refused: it
  writes names without quotes, and keys of maps that are no strings are no names.

  A value fits if it is the same when it is read back as what it was.
-#}
{% macro _one_type_ctes(plan, input) -%}
{%- set types = ['typeof(_dbtc_before)', 'typeof(_dbtc_after)'] -%}
{%- set same = types | join(' = ') -%}
{%- set unspelled = 'concat(' ~ types | join(', ') ~ ") rlike 'map<(?!string,)|[^A-Za-z0-9_:,<>()]'"
-%}
rows_beside_nothing as (
  select *, struct(0 as nothing) as _dbtc_nothing
  from {{ input }}
),

rows_of_two_types as (
  select
    *,
{%- for name in ['before', 'after'] %}
    identifier(if(
      {{ same }} or {{ unspelled }}, '_dbtc_nothing', '_dbtc_{{ name }}'
    )) as _dbtc_{{ ['given', 'wanted'][loop.index0] }}{{ ',' if not loop.last }}
{%- endfor %}
  from rows_beside_nothing
),

shared_cells as (
  select
    *,
    map_filter(
      {{ dbt_changelog._cells_sql('_dbtc_given') }},
      (name, value) -> exists(
        {{ dbt_changelog._names_sql('_dbtc_wanted') }}, other -> lower(other) = name
      )
    ) as _dbtc_cells
  from rows_of_two_types
),

read_rows as (
  select
    *,
    {{ dbt_changelog._read_as_sql('_dbtc_cells', '_dbtc_wanted') | indent(4) }} as _dbtc_read
  from shared_cells
),

converted_rows as (
  select
    *,
    case
      when {{ same }} then null
      when {{ unspelled }} then
        {{ dbt_changelog.unspelled_error_sql(plan,
          'concat(' ~ types | join(", ' and ', ") ~ ')') }}
      when {{ dbt_changelog.row_text_sql(
             dbt_changelog._read_as_sql('_dbtc_cells', '_dbtc_given')) }}
        <> {{ dbt_changelog.row_text_sql(dbt_changelog._read_as_sql(
             dbt_changelog._cells_sql('_dbtc_read'), '_dbtc_given')) }} then
        {{ dbt_changelog.raise_error_sql('Invalid input in ' ~ plan.where
          ~ ': a row of the table before does not fit the columns of the one after: ',
          'concat(to_json(_dbtc_given), ' ~ dbt_changelog.literal(' into ')
          ~ ', typeof(_dbtc_wanted))',
          '.\nTo fix: give both tables the same types, with casts in the query.') }}
      else _dbtc_read
    end as _dbtc_converted
  from read_rows
),

rows_of_one_type as (
  select
    *,
    identifier(if({{ same }}, '_dbtc_before', '_dbtc_converted')) as _dbtc_before_row
  from converted_rows
)
{%- endmacro %}

{#- The columns of a row as a map from their names, in lower case, to their values. -#}
{% macro _cells_sql(row) -%}
{{ return('transform_keys(cast(to_variant_object(' ~ row ~ ') as map<string, variant>),'
          ~ ' (name, value) -> lower(name))') }}
{%- endmacro %}

{#- The names of the columns of a row: a constant, as its type is. -#}
{% macro _names_sql(row) -%}
{{ return("json_object_keys(to_json(from_json('{}', typeof(" ~ row
          ~ ")), map('ignoreNullFields', 'false')))") }}
{%- endmacro %}

{#- Such a map as a row of the type of another one, with NULL for what it can't be. -#}
{% macro _read_as_sql(cells, row) -%}
{%- set names = dbt_changelog._names_sql(row) -%}
if(
  {{ cells }} is null,
  null,
  try_variant_get(
    to_variant_object(map_from_arrays(
      {{ names }},
      transform({{ names }}, name -> try_element_at({{ cells }}, lower(name)))
    )),
    '$',
    typeof({{ row }})
  )
)
{%- endmacro %}
