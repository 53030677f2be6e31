{#-
  Rows with the contract's constraints checked. is_live: the condition for those to check; a deleted
  key has no values.
-#}
{% macro constraint_checks_sql(plan, rows, is_live) -%}
select *
from (
{{ rows }}
) as batch_rows
where case
  when not ({{ is_live }}) then true
{%- for constraint in plan.constraints %}
  when not ({{ constraint.sql }}) then
    {{- ' ' ~ dbt_changelog.raise_error_sql(
      "Invalid row in " ~ plan.where ~ ': the constraint ' ~ constraint.text
        ~ ' does not hold for ',
      'to_json(struct(' ~ dbt_changelog.csv(plan.payload) ~ '))',
      '.\nTo fix: mend the value in the query, or change the contract; without the event the row'
      ~ ' would stay as it was.') }}
{%- endfor %}
  else true
end
{%- endmacro %}
