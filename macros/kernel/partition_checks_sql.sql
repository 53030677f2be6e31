{#- Rows to write, with the values checked that the partitions of their table do not keep. -#}
{% macro partition_checks_sql(plan, rows) -%}
{%- if not plan.partition_checks -%}
{{ return(rows) }}
{%- endif -%}
select *
from (
{{ rows }}
) as partitioned_rows
where case
{%- for check in plan.partition_checks %}
  when {{ check.sql }} then
    {{- ' ' ~ dbt_changelog.raise_error_sql(
      "Invalid 'partition_by' in " ~ plan.where ~ ': column ' ~ check.name ~ " has the value '",
      'cast(' ~ dbt_changelog.quote(check.name) ~ ' as string)',
      "', which a partition of Delta does not keep.\nTo fix: give such rows another value in the"
        ~ ' query, for example NULL, or leave the column out of partition_by.') }}
{%- endfor %}
  else true
end
{%- endmacro %}
