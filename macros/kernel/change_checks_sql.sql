{#-
  What every change must have. Changes that no code is for are left out here, unless the others are
  made of them: netted, or joined as pairs.
-#}
{% macro change_checks_sql(plan) -%}
{%- set text = 'to_json(struct(' ~ dbt_changelog.csv(
    ['_row_kind', '_sequence'] + plan.unique_key) ~ '))' -%}
{%- set kinds = dbt_changelog.row_kinds() | sort -%}
{%- set whole_text = 'to_json(struct(' ~ dbt_changelog.csv(
    ['_row_kind'] + (plan.unique_key or plan.get('payload', []))) ~ '))' -%}
{%- set is_whole = plan.nets or plan.pairs -%}
case
  when _row_kind is null or _row_kind not in ({{ dbt_changelog.literals(kinds) }}) then
    {{- ' ' ~ dbt_changelog.raise_error_sql("Unknown row kind in " ~ plan.where
      ~ ': _row_kind is not one of ' ~ kinds | join(', ') ~ ' in the change ', text,
      '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.') }}
{%- for name in plan.unique_key %}
  when {{ dbt_changelog.quote(name) }} is null then
    {{- ' ' ~ dbt_changelog.raise_error_sql(
      "Invalid 'unique_key' in " ~ plan.where ~ ': it is NULL in the change ', text,
      '.\nTo fix: name columns that are never NULL; or leave such rows out in the query, and the'
      ~ ' events do not have them.') }}
{%- endfor %}
{%- if plan.encoding == 'append' %}
  when _row_kind <> 'INSERT' then
    {{- ' ' ~ dbt_changelog.raise_error_sql(
      "Invalid 'encoding' in " ~ plan.where ~ ': append has no event for the change ',
      whole_text, ".\nTo fix: set encoding='retract', or encoding='upsert' with unique_key; or"
      ~ ' make it a query that only adds rows.') }}
{%- endif %}
{%- if is_whole %}
  when _sequence is null then
    {{- ' ' ~ dbt_changelog.raise_error_sql(
      "Invalid '_sequence' in " ~ plan.where ~ ': it is NULL in the change ', text,
      '.\nTo fix: give the changelog an order, for example with sequence_by.') }}
{%- endif %}
  else {{ 'true' if is_whole else '_row_kind in ('
    ~ dbt_changelog.literals(dbt_changelog.mapped_kinds(plan.op_mapping) | sort) ~ ')' }}
end
{%- endmacro %}
