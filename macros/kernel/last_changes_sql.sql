{#-
  The change that wins each key (`_last`), and what it takes to see a tie (`_rival`).

  One aggregation of whole rows: a tie can't mix the columns of two, and of equal sequences the
  greatest and the least hash differ if and only if two changes disagree.
-#}
{% macro last_changes_sql(plan, input) -%}
{%- set order = ([plan.order_by] + dbt_changelog.precedence_sql(plan)) | join(', ') -%}
select
  {{ dbt_changelog.csv(plan.unique_key) }},
  {{ dbt_changelog.greatest_change_sql(plan) }} as _last
{%- if plan.tie_handling != 'LAST' %},
  max(struct({{ order }}, ~_image_hash as _hash)) as _rival
{%- endif %}
from (
  select *, {{ dbt_changelog.image_hash_sql(plan) }} as _image_hash
  from {{ input }}
) as hashed_changes
group by {{ dbt_changelog.csv(plan.unique_key) }}
{%- endmacro %}
