{#-
  The rows of a batch with the contract's constraints checked; a row that does not live is not
  checked: a deleted key has no values.
-#}
{% macro constraint_checks_sql(plan, rows) -%}
select *
from (
{{ rows }}
) as batch_rows
where case
  when not ({{ dbt_changelog.kernel_macros(plan).is_live }}) then true
{%- for constraint in plan.constraints %}
  when not ({{ constraint.sql }}) then
    {{- ' ' ~ dbt_changelog.raise_error_sql(
      "Invalid row in " ~ plan.where ~ ': the constraint ' ~ constraint.text
        ~ ' does not hold for ',
      'to_json(struct(' ~ dbt_changelog.csv(plan.payload) ~ '))',
      '.\nTo fix: filter such rows out in the query, or change the contract.') }}
{%- endfor %}
  else true
end
{%- endmacro %}
