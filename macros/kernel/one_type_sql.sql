{#-
  Rows before and after (_before, _after) with one more: the row before in the columns of the row
  after (_before_row).
-#}
{% macro one_type_sql(rows) -%}
select
  *,
  {{ dbt_changelog.same_columns_sql('_before', '_after', '_converted') }} as _before_row
from (
  select
    *,
    {{ dbt_changelog.read_as_sql('_before', '_after') | indent(4) }} as _converted
  from (
    {{ rows | indent(4) }}
  ) as rows_of_two_types
) as converted_rows
{%- endmacro %}
