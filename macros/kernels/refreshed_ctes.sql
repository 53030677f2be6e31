{#-
  The changelog that a full refresh of a model with a key emits, as CTEs: the changes of its kernel
  -> `emitted`: how the new contents differ from the old.
-#}
{% macro refreshed_ctes(plan, batch) -%}
{%- set key, live = dbt_changelog.csv(plan.unique_key), dbt_changelog.is_live_sql() -%}
{%- set names = dbt_changelog.csv(plan.payload + plan.passthrough) -%}
{{ dbt_changelog.kernel_of(plan.kernel).rows(plan, batch) }},

new_rows as (
  select {{ key }}, _sequence as _dbtc_sequence, struct({{ names }}) as _dbtc_new
  from state_rows
  where {{ live }}
),

live_rows as (
  select
    {{ dbt_changelog.old_columns_sql(plan, batch) | indent(4) }}
  from {{ plan.relations.state }}
  where {{ live }}
),

old_rows as (
  select {{ key }}, _sequence as _dbtc_old_sequence, struct({{ names }}) as _dbtc_old
  from live_rows
),

new_and_old as (
  select
    coalesce(_dbtc_sequence, _dbtc_old_sequence) as _sequence,
    _dbtc_old,
    _dbtc_new
  from old_rows
  full outer join new_rows using ({{ key }})
),

{{ dbt_changelog.differences_ctes(plan, batch, 'new_and_old',
                                 dbt_changelog.same_values_sql(plan)) }}
{%- endmacro %}

{#- The columns of a state that a full refresh replaces, as the columns of the plan. -#}
{% macro old_columns_sql(plan, batch) -%}
{%- set columns = [] -%}
{%- for column in plan.state_columns -%}
{%- set found = dbt_changelog.find_name(column.name, batch.stored_columns) -%}
{%- do columns.append('cast(' ~ (dbt_changelog.quote(found) if found else 'null') ~ ' as '
    ~ column.type ~ ') as ' ~ dbt_changelog.quote(column.name)) -%}
{%- endfor -%}
{{ return(columns | join(',\n')) }}
{%- endmacro %}
