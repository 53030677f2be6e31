{#-
  A changelog with its rows as one column `_image`; the columns that are needed stand beside.

  A flat event has its op code beside the columns of the row, whose names may not be known here:
  `_other_op` is the column of that name if the row has one, else the NULL that stands before it.
-#}
{% macro change_images_sql(plan, input) -%}
{%- set generated = ['_row_kind', '_sequence', '_ordinal'] -%}
{%- set beside = generated + plan.passthrough + plan.unique_key -%}
{%- set names = dbt_changelog.csv(beside | unique | list) -%}
{%- set op = dbt_changelog.quote(plan.op) -%}
{%- set is_flat = not (plan.images or plan.knows_rows) and plan.op != '_row_kind' -%}
{%- set row = "identifier(if(typeof(_other_op) = 'void', '_row', '_clash'))" if is_flat
    else '_row' -%}
select
  {{ names }},
  {{ dbt_changelog.known_row_sql(plan, '_row', row) | indent(2) if plan.nets
     else 'struct(' ~ row ~ ' as row)' }} as _image
from (
  select
    {{ names }},
{%- if is_flat %}
    null as {{ op }},
    {{ op }} as _other_op,
    struct(if(
      typeof({{ op }}) = 'void', null, cast({{ dbt_changelog.op_clash_error_sql(plan) }} as string)
    ) as row) as _clash,
{%- endif %}
    struct(* except ({{ dbt_changelog.csv(generated + plan.passthrough) }})) as _row
  from {{ input }}
  where {{ dbt_changelog.change_checks_sql(plan) | indent(2) }}
) as checked_changes
{%- endmacro %}
