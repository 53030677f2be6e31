{#-
  CTEs as a query of rows that are to be written: those of the last CTE, with what their table and
  their contract ask of them. is_live: the condition for a row to have values, which a deleted key
  has not; none: the contract is not about these rows. columns, sorted_by: those of chain_sql.
-#}
{% macro checked_chain_sql(plan, ctes, last, is_live=none, columns=[], sorted_by=[]) -%}
{%- set constraints = plan.constraints if is_live else [] -%}
{%- set checks = dbt_changelog._checked_rows_cte(plan, last, is_live, constraints)
    if plan.partition_checks or constraints else '' -%}
{{ return(dbt_changelog.chain_sql(ctes + [checks], 'checked_rows' if checks else last,
                                  columns, sorted_by)) }}
{%- endmacro %}

{% macro _checked_rows_cte(plan, input, is_live, constraints) -%}
checked_rows as (
  select *
  from {{ input }}
  where case
{%- for check in plan.partition_checks %}
    when {{ check.sql }} then
      {{ dbt_changelog.raise_error_sql(
         "Invalid 'partition_by' in " ~ plan.where ~ ': column ' ~ check.name ~ " has the value '",
         'cast(' ~ dbt_changelog.quote(check.name) ~ ' as string)',
         "', which a partition of Delta does not keep.\nTo fix: give such rows another value in the"
         ~ ' query, for example NULL; or leave the column out of partition_by and, if the table is'
         ~ ' there, ' ~ ('run with --full-refresh.' if plan.function == 'from_changelog'
                         else 'rename or drop it and its state.')) }}
{%- endfor %}
{%- for constraint in constraints %}
    when {{ is_live }} and not ({{ constraint.sql }}) then
      {{ dbt_changelog.raise_error_sql(
         "Invalid row in " ~ plan.where ~ ': the constraint ' ~ constraint.text
           ~ ' does not hold for ',
         'to_json(struct(' ~ dbt_changelog.csv(plan.payload) ~ '))',
         '.\nTo fix: correct the value in the query, or change the contract; without the event the'
         ~ ' row would stay as it was.') }}
{%- endfor %}
    else true
  end
)
{%- endmacro %}
