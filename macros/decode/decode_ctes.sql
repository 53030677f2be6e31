{#-
  Change events -> changelog, as CTEs: the last is `changes`, with _row_kind, _sequence, _ordinal
  and a row per row kind that the op code maps to, in the columns of the table. Only the first reads
  the input, so it may have any name.

  upserts_only: only the last image of a key counts, so a group of kinds is an upsert. raises: wrong
  events are an error; diagnose, which has left them out before, counts what is left. arrived: the
  condition for an event to have come since the last batch, to be carried as _dbtc_arrived.
-#}
{% macro decode_ctes(plan, input, upserts_only=false, raises=true, arrived=none) -%}
{{ (dbt_changelog._image_ctes if plan.images else dbt_changelog._flat_cte)(
     plan, input, upserts_only, raises, arrived) }}
{%- endmacro %}

{#-
  A CTE, all of it, as what Spark moves no filter below: one that parses JSON would parse it again
  for each check of its events. Delta keeps the rows of such a source, too, and does not read them
  twice. A seed of its own for each sample, Spark's default, would have it compiled each time.
-#}
{% macro every_row_sql(cte) -%}
{{ return(cte ~ ' tablesample (100 percent) repeatable (0)'
          ~ '  -- all rows, computed once for all checks') }}
{%- endmacro %}

{#- What orders the changes of a key: one value, or a struct of several, most significant first. -#}
{% macro sequence_sql(sequence_by) -%}
{%- if not sequence_by -%}
{{ return('cast(null as bigint)') }}
{%- elif sequence_by | length == 1 -%}
{{ return(sequence_by[0]) }}
{%- endif -%}
{%- set fields = [] -%}
{%- for item in sequence_by -%}
{%- do fields.append("'_" ~ loop.index ~ "', " ~ item) -%}
{%- endfor -%}
{{ return('named_struct(' ~ fields | join(', ') ~ ')') }}
{%- endmacro %}

{#- Without images the row is the payload, and one event is one change. -#}
{% macro _flat_cte(plan, input, upserts_only, raises, arrived) -%}
{%- set codes = dbt_changelog.codes_with(plan.op_mapping, ['UPDATE_AFTER']) -%}
{%- set dropped, columns = [plan.op], [] -%}
{%- for name in plan.sequence_names if name.startswith('_') -%}
{%- do dropped.append(name) -%}
{%- endfor -%}
{%- set rest = '* except (' ~ dbt_changelog.csv(dropped) ~ ')' -%}
{%- for name in plan.payload or [] -%}
{%- do columns.append(dbt_changelog._column_sql(plan, name, dbt_changelog.quote(name))) -%}
{%- endfor -%}
{%- do columns.append(plan.columns_not_sent ~ ' as _dbtc_unsent') if plan.columns_not_sent -%}
changes as (
  select
    {{ dbt_changelog.row_kind_sql(plan, upserts_only) | indent(4) }} as _row_kind,
    {{ dbt_changelog.sequence_sql(plan.sequence_by) }} as _sequence,
    {{ 'if(' ~ dbt_changelog.op_sql(plan) ~ ' in (' ~ dbt_changelog.literals(codes) ~ '), 1, 0)'
       if codes else '0' }} as _ordinal,
    {{ columns | join(',\n    ') or rest }}
{{- ',\n    ' ~ arrived ~ ' as _dbtc_arrived' if arrived }}
  from {{ input }}
{%- if raises %}
  where {{ dbt_changelog.event_checks_sql(plan) | indent(2) }}
{%- if not plan.payload and not plan.unique_key %}
    and if(typeof(struct({{ rest }})) = 'struct<>', {{ dbt_changelog.raise_error_sql(
      "Invalid 'input' in " ~ plan.where ~ ': it has no column besides the op column.\nTo fix:'
      ~ ' select the columns of the row too.') }}, true)
{%- endif %}
{%- endif %}
)
{%- endmacro %}

{#- With images the row kind picks the image: before for -U and -D, after for +I and +U. -#}
{% macro _image_ctes(plan, input, upserts_only, raises, arrived) -%}
{%- set columns = [] -%}
{%- for name in plan.payload or [] -%}
{%- do columns.append(dbt_changelog._column_sql(plan, name,
    dbt_changelog.image_key_sql(plan, name) if name in plan.unique_key
    else dbt_changelog.image_value_sql(plan, name))) -%}
{%- endfor -%}
{%- for name in plan.passthrough -%}
{%- do columns.append(dbt_changelog.quote(name)) -%}
{%- endfor -%}
{%- do columns.insert(0, '_dbtc_image.*') if not plan.payload -%}
{%- do columns.append(dbt_changelog.unsent_columns_sql(plan) ~ ' as _dbtc_unsent')
    if plan.columns_not_sent -%}
row_kinds as (
  select
    {{ dbt_changelog._input_star_sql(plan) }},
    {{ dbt_changelog.sequence_sql(plan.sequence_by) }} as _sequence,
    {{ dbt_changelog.row_kind_sql(plan, upserts_only) | indent(4) }} as _row_kind
  from {{ input }}
{%- if raises %}
  where {{ dbt_changelog.event_checks_sql(plan) | indent(2) }}
{%- endif %}
),

images as (
  select
    *,
    {{ dbt_changelog.picked_image_sql(plan) | indent(4) }} as _dbtc_image
  from row_kinds
),

changes as (
  select
    _row_kind,
    _sequence,
    {{ dbt_changelog.ordinal_sql() }} as _ordinal,
    {{ columns | join(',\n    ') }}
{{- ',\n    ' ~ arrived ~ ' as _dbtc_arrived' if arrived }}
  from images
{%- if plan.unique_key %}
  where {{ dbt_changelog.image_key_checks_sql(plan, raises) | indent(2) }}
{%- endif %}
)
{%- endmacro %}

{#-
  A column of the row, as the table has it: NULL where the query no longer has it, cast where
  the table has a wider type.
-#}
{% macro _column_sql(plan, name, value) -%}
{%- set column = dbt_changelog.quote(name) -%}
{%- if name == plan.soft_delete -%}
{{ return('false as ' ~ column) }}
{%- endif -%}
{%- for absent in plan.absent if absent.name == name -%}
{%- do return('cast(null as ' ~ absent.type ~ ') as ' ~ column) -%}
{%- endfor -%}
{%- for lifted in plan.lifted if lifted.name == name -%}
{%- do return('cast(' ~ value ~ ' as ' ~ lifted.type ~ ') as ' ~ column) -%}
{%- endfor -%}
{{ return(value ~ (' as ' ~ column if value not in [column, '_dbtc_image.' ~ column]
                   or (name in plan.unique_key and value != column))) }}
{%- endmacro %}

{#-
  All columns of the events but those of the op code and the sequence that have a name which we give
  them anew.
-#}
{% macro _input_star_sql(plan) -%}
{%- set renewed = [] -%}
{%- for name in [plan.op] + plan.sequence_names
    if dbt_changelog.find_name(name, ['_row_kind', '_sequence']) is not none -%}
{%- do renewed.append(name) -%}
{%- endfor -%}
{{ return('* except (' ~ dbt_changelog.csv(renewed) ~ ')' if renewed else '*') }}
{%- endmacro %}
