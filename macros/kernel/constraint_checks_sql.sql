{#- The contract's constraints, for rows that live: a deleted key has no values to check. -#}
{% macro constraint_checks_sql(plan) -%}
{%- if plan.constraints %}
where case
  when _row is null then true
{%- for constraint in plan.constraints %}
  when not ({{ constraint.sql }}) then
    {{- ' ' ~ dbt_changelog.raise_error_sql(
      "Invalid row in " ~ plan.where ~ ': the constraint ' ~ constraint.text ~ ' does not hold for ',
      'to_json(_row)', '.\nTo fix: filter such rows out in the query, or change the contract.') }}
{%- endfor %}
  else true
end
{%- endif -%}
{%- endmacro %}
