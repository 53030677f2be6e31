{#-
  The rows of a batch brought into the state, as a kernel says how (merging): {same: whether a row
  of the state and one of the batch are one; is_changed: whether the batch changes such a row;
  changed: what it changes, {name: sql}; columns: the names of all columns}.

  Delta evaluates conditions on unmatched rows with NULL columns, so an error must stand in the
  branch of a comparison.
-#}

{#-
  One commit; a second time it changes nothing. rows: a query whose last CTE is state_rows; it is
  not indented, since the user's query may hold strings of several lines.
-#}
{% macro merge_sql(plan, rows, merging) -%}
merge into {{ plan.relations.state }} as state
using (
{{ rows }}
) as change
on {{ merging.same }}
when matched
  and {{ merging.is_changed | indent(2) }}
then update set
{%- for name, sql in merging.changed.items() %}
  {{ dbt_changelog.quote(name) }} = {{ sql | indent(2) }}{{ ',' if not loop.last }}
{%- endfor %}
when not matched then insert (
  {{ dbt_changelog.csv(merging.columns, separator=',\n  ') }}
) values (
  {{ dbt_changelog.csv(merging.columns, prefix='change.', separator=',\n  ') }}
)
{%- endmacro %}

{#-
  The state after a batch as a query, where there is no MERGE, as CTEs: `state_rows` ->
  `merged_rows`.
-#}
{% macro merged_ctes(plan, merging) -%}
{%- set changed, between = [], ',\n          ' -%}
{%- for name in merging.columns -%}
{%- set column = dbt_changelog.quote(name) -%}
{%- do changed.append(merging.changed.get(name, 'state.' ~ column) ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- set kept = 'struct(\n          '
    ~ dbt_changelog.csv(merging.columns, prefix='state.', separator=between) ~ '\n        )' -%}
joined_rows as (
  select
    case
      when change._row_kind is null
        then {{ kept }}
      when state._row_kind is null
        then struct(
          {{ dbt_changelog.csv(merging.columns, prefix='change.', separator=between) }}
        )
      when {{ merging.is_changed | indent(6) }}
        then struct(
          {{ changed | join(',\n') | indent(10) }}
        )
      else {{ kept }}
    end as _dbtc_row
  from {{ plan.relations.state }} as state
  full outer join state_rows as change
    on {{ merging.same }}
),

merged_rows as (
  select _dbtc_row.*
  from joined_rows
)
{%- endmacro %}

{#- Columns of the batch as they are, {name: sql}. -#}
{% macro columns_of_change(names) -%}
{%- set columns = {} -%}
{%- for name in names -%}
{%- do columns.update({name: 'change.' ~ dbt_changelog.quote(name)}) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}
