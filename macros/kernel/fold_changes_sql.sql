{#- The rows that a changelog of known columns leaves. changes: the name of a CTE. -#}
{% macro fold_changes_sql(plan, changes) -%}
{%- set names = plan.state_columns | map(attribute='name') | list -%}
{%- if plan.unique_key -%}
select
  {{ dbt_changelog.csv(names, separator=',\n  ') }}
from {{ dbt_changelog.fold_by_key_sql(changes, plan.unique_key, []) }}
{%- else -%}
select
  {{ dbt_changelog.csv(names, separator=',\n  ') }}
from (
  {{ dbt_changelog.sum_weights_sql(plan.compared, changes, dbt_changelog.weight_sql())
     | indent(2) }}
) as weights
lateral view explode(array_repeat(0, cast(_weight as int))) copies as _copy
where _weight > 0
{%- endif -%}
{%- endmacro %}
