{#-
  Changelog -> change events, as CTEs: the last is `change_events`: the op column, what passes
  through, the row or its images, and the place of the event. input: anything that can stand in a
  from, with _row_kind, _sequence, _ordinal before its own columns; only the first CTE reads it.

  plan.nets: the changelog is normalised first (net_changes_ctes). plan.pairs: an update is one
  event with both images. batch_id: of the events of a model; none: the place is the input's own.
-#}
{% macro encode_ctes(plan, input, batch_id=none) -%}
{{ dbt_changelog.checked_changes_ctes(plan, input) }},
{% if plan.nets %}
{{ dbt_changelog.net_changes_ctes(plan) }},
{% elif plan.pairs %}
{{ dbt_changelog.joined_changes_ctes(plan) }},
{% endif %}
{{ (dbt_changelog._pair_ctes if plan.pairs else dbt_changelog._row_ctes)(plan, batch_id) }}
{%- endmacro %}

{#- The whole events from changes with the rows before and after: one each, with both images. -#}
{% macro _pair_ctes(plan, batch_id) -%}
{%- set columns = [] -%}
{%- for side, row in [['before', '_dbtc_old'], ['after', '_dbtc_new']] if plan[side] -%}
{%- do columns.append('if(' ~ row ~ ' is null, null, '
    ~ dbt_changelog._event_image_sql(plan, row ~ '_row') ~ ') as '
    ~ dbt_changelog.quote(plan[side])) -%}
{%- endfor -%}
{%- set ordinal = dbt_changelog.ordinal_sql() if plan.unique_key else '_ordinal' -%}
event_rows as (
  select
    *,
    {{ '_dbtc_old.row' if plan.produces_full_deletes
       else "if(_row_kind = 'DELETE', null, _dbtc_old.row)" }} as _dbtc_old_row,
    _dbtc_new.row as _dbtc_new_row
  from {{ 'net_changes' if plan.nets else 'joined_changes' }}
),

change_events as (
  select
    {{ dbt_changelog._head_sql(plan) | indent(4) }},
    {{ columns | join(',\n    ') }},
    {{ dbt_changelog._place_of_event_sql(plan, batch_id, ordinal,
       ['_dbtc_old_row', '_dbtc_new_row']) | indent(4) }}
  from event_rows
  where {{ dbt_changelog.is_mapped_sql(plan) }}
)
{%- endmacro %}

{#-
  An event per change: flat, or with the image that belongs to its kind.

  Where changes are not netted, kinds that have no code were left out with the checks: a condition
  here would be pushed below them, and a scan would skip what is to be refused.
-#}
{% macro _row_ctes(plan, batch_id) -%}
{%- set live = dbt_changelog.is_live_sql() -%}
{%- set row = dbt_changelog._event_image_sql(plan, '_dbtc_row') -%}
{%- if plan.one_image -%}
{%- set columns = [row ~ ' as ' ~ dbt_changelog.quote(plan.after)] -%}
{%- elif plan.images -%}
{%- set columns = [] -%}
{%- for side, image in {'before': 'if(' ~ live ~ ', null, ' ~ row ~ ')',
                        'after': 'if(' ~ live ~ ', ' ~ row ~ ', null)'}.items() if plan[side] -%}
{%- do columns.append(image ~ ' as ' ~ dbt_changelog.quote(plan[side])) -%}
{%- endfor -%}
{%- else -%}
{%- set columns = [dbt_changelog._row_columns_sql(plan, '_dbtc_row')] -%}
{%- endif -%}
event_rows as (
  select
    *,
    {{ '_dbtc_image.row' if plan.produces_full_deletes
       else "if(_row_kind = 'DELETE', null, _dbtc_image.row)" }} as _dbtc_row
  from {{ 'split_changes' if plan.nets else 'checked_changes' }}
),

change_events as (
  select
    {{ dbt_changelog._head_sql(plan) | indent(4) }},
    {{ columns | join(',\n    ') }},
    {{ dbt_changelog._place_of_event_sql(plan, batch_id, '_ordinal', ['_dbtc_row'])
       | indent(4) }}
  from event_rows
{%- if plan.nets %}
  where {{ dbt_changelog.is_mapped_sql(plan) }}
{%- endif %}
)
{%- endmacro %}

{#- Whether a kind has a code. -#}
{% macro is_mapped_sql(plan) -%}
{{ return('_row_kind in ('
          ~ dbt_changelog.literals(dbt_changelog.mapped_kinds(plan.op_mapping) | sort) ~ ')') }}
{%- endmacro %}

{#- What stands before the row of a change event: its op code and what passes through. -#}
{% macro _head_sql(plan) -%}
case _row_kind
{%- for entry in plan.op_mapping %}
{%- for kind in entry.kinds | sort %}
  when {{ dbt_changelog.literal(kind) }} then {{ dbt_changelog.literal(entry.code) }}
{%- endfor %}
{%- endfor %}
end as {{ dbt_changelog.quote(plan.op) }}
{%- for name in plan.passthrough %},
{{ dbt_changelog.quote(name) }}
{%- endfor %}
{%- endmacro %}

{#-
  What stands behind the row of a change event: its place. In the table of a model that is its
  batch, and the number of the change among those of its key; without a key, among those of equal
  rows. rows: what tells two changes of one sequence apart.
-#}
{% macro _place_of_event_sql(plan, batch_id, ordinal, rows) -%}
{%- if batch_id is none -%}
_sequence,
{{ ordinal ~ (' as _ordinal' if ordinal != '_ordinal') }}
{%- else -%}
cast({{ batch_id }} as bigint) as _batch_id,
row_number() over (
{%- if plan.unique_key %}
  partition by {{ dbt_changelog.csv(plan.unique_key) }}
  order by _sequence, {{ ordinal }}
{%- else %}
  partition by {{ dbt_changelog._same_event_sql(plan, rows) }}
  order by _sequence, {{ ordinal }}, {{ dbt_changelog.kind_rank_sql() }}
{%- endif %}
) as _position
{%- endif -%}
{%- endmacro %}

{#- What equal events share, of columns that are known. -#}
{% macro _same_event_sql(plan, rows) -%}
{%- set items = [] -%}
{%- for row in rows -%}
{%- for column in plan.compared if column.name not in plan.passthrough -%}
{%- do items.append(dbt_changelog.comparable_sql(
    row ~ '.' ~ dbt_changelog.quote(column.name), column)) -%}
{%- endfor -%}
{%- endfor -%}
{{ return(items | join(', ')) }}
{%- endmacro %}

{#-
  The columns of a row of a change event. Where a deleted row keeps just its key, the row is NULL
  there and the key stands before it, since the names of its other columns are not known.
-#}
{% macro _row_columns_sql(plan, row) -%}
{%- set key = dbt_changelog.csv(plan.unique_key | reject('in', plan.passthrough)) -%}
{%- if plan.produces_full_deletes or not key -%}
{{ return(row ~ '.*') }}
{%- endif -%}
{{ return(key ~ ', ' ~ row ~ '.* except (' ~ key ~ ')') }}
{%- endmacro %}

{#- The row of a change event as an image. -#}
{% macro _event_image_sql(plan, row) -%}
{{ return(row if plan.produces_full_deletes
          else 'struct(' ~ dbt_changelog._row_columns_sql(plan, row) ~ ')') }}
{%- endmacro %}
