{#- The rows that one relation has more often than the other, and how often each has them. -#}
{% macro unequal_rows_sql(columns, ours, theirs, in_ours, in_theirs) -%}
{%- set names, values = dbt_changelog.csv(columns | map(attribute='name'), separator=',\n    '), []
-%}
{%- for column in columns -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- do values.append(dbt_changelog.comparable_sql(name, column) ~ ' as ' ~ name) -%}
{%- endfor -%}
with both_sides as (
  select
    {{ values | join(',\n    ') }},
    1 as _dbtc_is_ours
  from {{ ours }}
  union all
  select
    {{ values | join(',\n    ') }},
    0
  from {{ theirs }}
),

counted_rows as (
  select
    {{ names }},
    sum(_dbtc_is_ours) as {{ in_ours }},
    sum(1 - _dbtc_is_ours) as {{ in_theirs }}
  from both_sides
  group by {{ dbt_changelog.csv(columns | map(attribute='name')) }}
)

select *
from counted_rows
where {{ in_ours }} <> {{ in_theirs }}
{%- endmacro %}
