{#-
  Rows with weights -> one per distinct row, with the sum. columns: [{name, type}], all that a row
  is. Rows are grouped by what compares; of equal rows any one's values stay (0.0 and -0.0, the
  order of a map).
-#}
{% macro sum_weights_sql(columns, input, weight='_weight') -%}
{%- set selected, groups = [], [] -%}
{%- for column in columns -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- set comparable = dbt_changelog.comparable_sql(name, column) -%}
{%- do groups.append(comparable) -%}
{%- do selected.append(name if comparable == name else 'any_value(' ~ name ~ ') as ' ~ name) -%}
{%- endfor -%}
select
  {{ selected | join(',\n  ') }},
  sum({{ weight }}) as _weight
from {{ input }}
group by
  {{ groups | join(',\n  ') }}
{%- endmacro %}
