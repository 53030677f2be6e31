{#-
  The rows of two tables beside each other, each with the columns of the later table: one join on
  the key.
-#}
{% macro diff_pairs_sql(plan, before, after) -%}
select
  {{ dbt_changelog.csv(plan.unique_key) }},
  _before_is_second or _after_is_second as _is_second,
  {{ dbt_changelog.known_row_sql('_before_row') | indent(2) }} as _old,
  {{ dbt_changelog.known_row_sql('_after') | indent(2) }} as _new
from (
  select
    *,
    {{ dbt_changelog.same_columns_sql('_before', '_after', '_converted') }} as _before_row
  from (
    select
      *,
      {{ dbt_changelog.read_as_sql('_before', '_after') | indent(6) }} as _converted
    from (
      {{ dbt_changelog.diff_side_sql(plan, before, '_before') | indent(6) }}
    ) as before_rows
    full outer join (
      {{ dbt_changelog.diff_side_sql(plan, after, '_after') | indent(6) }}
    ) as after_rows using ({{ dbt_changelog.csv(plan.unique_key) }})
  ) as joined_rows
) as rows_of_one_type
{%- endmacro %}
