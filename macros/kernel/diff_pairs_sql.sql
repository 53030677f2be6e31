{#-
  The rows of two tables beside each other, each with the columns of the later table: one join on
  the key.
-#}
{% macro diff_pairs_sql(plan, before, after) -%}
{%- set before_row = '_before' if plan.knows_rows else '_before_row' -%}
{%- set pairs -%}
select *
from (
  {{ dbt_changelog.diff_side_sql(plan, before, '_before') | indent(2) }}
) as before_rows
full outer join (
  {{ dbt_changelog.diff_side_sql(plan, after, '_after') | indent(2) }}
) as after_rows using ({{ dbt_changelog.csv(plan.unique_key) }})
{%- endset -%}
select
  {{ dbt_changelog.csv(plan.unique_key) }},
  _before_is_second or _after_is_second as _is_second,
  {{ dbt_changelog.known_row_sql(plan, before_row) | indent(2) }} as _old,
  {{ dbt_changelog.known_row_sql(plan, '_after') | indent(2) }} as _new
from (
  {{ (pairs if plan.knows_rows else dbt_changelog.one_type_sql(pairs)) | indent(2) }}
) as pairs
{%- endmacro %}
