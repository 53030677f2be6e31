{#-
  A changelog whose changes have what they must, with their rows as one column _dbtc_image, as CTEs:
  -> `checked_changes`. The columns that are needed stand beside.

  A flat event has its op code beside the columns of the row, whose names may not be known here:
  `_dbtc_other_op` is the column of that name if the row has one, else the NULL that stands before
  it.
-#}
{% macro checked_changes_ctes(plan, input) -%}
{%- set generated = ['_row_kind', '_sequence', '_ordinal'] -%}
{%- set names = dbt_changelog.csv((generated + plan.passthrough + plan.unique_key) | unique) -%}
{%- set op = dbt_changelog.quote(plan.op) -%}
{%- set is_flat = not (plan.images or plan.knows_rows) and plan.op != '_row_kind' -%}
{%- set checks = dbt_changelog.change_checks_sql(plan) -%}
{%- set row = "identifier(if(typeof(_dbtc_other_op) = 'void', '_dbtc_row', '_dbtc_clash'))"
    if is_flat else '_dbtc_row' -%}
changes_as_rows as (
  select
    {{ names }},
{%- if is_flat %}
    null as {{ op }},
    {{ op }} as _dbtc_other_op,
    struct(if(
      typeof({{ op }}) = 'void', null, cast({{ dbt_changelog._op_clash_error_sql(plan) }} as string)
    ) as row) as _dbtc_clash,
{%- endif %}
    struct(* except ({{ dbt_changelog.csv(generated + plan.passthrough) }})) as _dbtc_row
  from {{ input }}
{%- if checks != 'true' %}
  where {{ checks | indent(2) }}
{%- endif %}
),

checked_changes as (
  select
    {{ names }},
    {{ dbt_changelog.known_row_sql(dict(plan, compared=plan.get('compared', [])
         | rejectattr('name', 'in', plan.passthrough) | list), '_dbtc_row', row) | indent(4)
       if plan.nets
       else 'struct(' ~ row ~ ' as row)' }} as _dbtc_image
  from changes_as_rows
)
{%- endmacro %}

{#-
  What every change must have; a diff has seen to its kinds and keys. Changes that no code is for
  are left out here, unless the others are made of them: netted, or joined as pairs.
-#}
{% macro change_checks_sql(plan) -%}
{%- set text = 'to_json(struct(' ~ dbt_changelog.csv(
    ['_row_kind', '_sequence'] + plan.unique_key) ~ '))' -%}
{%- set kinds = dbt_changelog.row_kinds() | sort -%}
{%- set is_whole, is_diff = plan.nets or plan.pairs, plan.get('input') == 'table' -%}
{%- set mapped = 'true' if is_whole else dbt_changelog.is_mapped_sql(plan) -%}
{%- if is_diff and plan.encoding != 'append' -%}
{{ return(mapped) }}
{%- endif -%}
case
{%- if not is_diff %}
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
{%- endif %}
{%- if plan.encoding == 'append' %}
  when _row_kind <> 'INSERT' then
    {{- ' ' ~ dbt_changelog.append_error_sql(plan, dbt_changelog.csv(
      ['_row_kind'] + (plan.unique_key or plan.get('payload', [])))) }}
{%- endif %}
{%- if is_whole and not is_diff %}
{%- for item in plan.get('sequence_by') or ['_sequence'] %}
  when {{ item }} is null then
    {{- ' ' ~ (dbt_changelog.raise_error_sql(
      "Invalid '_sequence' in " ~ plan.where ~ ': it is NULL in the change ', text,
      '.\nTo fix: give the changelog an order, for example with sequence_by.')
      if item == '_sequence' else dbt_changelog.raise_error_sql(
      "Invalid 'sequence_by' in " ~ plan.where ~ ': ' ~ item ~ ' is NULL in the change ', text,
      '.\nTo fix: name columns that are never NULL.')) }}
{%- endfor %}
{%- endif %}
  else {{ mapped }}
end
{%- endmacro %}

{#- The error of encoding='append' for a change that adds no row. shown: columns that tell it. -#}
{% macro append_error_sql(plan, shown) -%}
{{ return(dbt_changelog.raise_error_sql(
  "Invalid 'encoding' in " ~ plan.where ~ ': append has no event for the change ',
  'to_json(struct(' ~ shown ~ '))', ".\nTo fix: set encoding='retract', or encoding='upsert' with"
  ~ ' unique_key; or make it a query that only adds rows.')) }}
{%- endmacro %}

{#- The error for rows that have a column of the name of the op column. -#}
{% macro _op_clash_error_sql(plan) -%}
{{ return(dbt_changelog.raise_error_sql(
  "Invalid 'op' in " ~ plan.where ~ ": the rows have a column '" ~ plan.op ~ "' too.\n"
  ~ 'To fix: give op another name, or set before and after.')) }}
{%- endmacro %}
