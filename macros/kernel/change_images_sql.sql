{#-
  A changelog with its rows as one column `_image`; the columns that are needed stand beside.

  A flat event has its op code beside the columns of the row, whose names are not known here: `_op`
  is a column of the input if it has one of that name, else the NULL that stands before it.
-#}
{% macro change_images_sql(plan, input) -%}
{%- set generated = ['_row_kind', '_sequence', '_ordinal'] -%}
{%- set beside = generated + plan.passthrough + plan.unique_key -%}
{%- set names = dbt_changelog.csv(beside | unique | list) -%}
{%- set op = dbt_changelog.quote(plan.op) -%}
select
  {{ names }},
  {{ dbt_changelog.known_row_sql('_row', none if plan.images
       else "identifier(if(typeof(_op) = 'void', '_row', '_clash'))") | indent(2) }} as _image
from (
  select
    {{ names }},
{%- if not plan.images %}
    null as {{ op }},
    {{ op }} as _op,
    struct(if(
      typeof({{ op }}) = 'void', null, {{ dbt_changelog.op_clash_error_sql(plan) }}
    ) as row) as _clash,
{%- endif %}
    struct(* except ({{ dbt_changelog.csv(generated + plan.passthrough) }})) as _row
  from {{ input }}
  where {{ dbt_changelog.change_checks_sql(plan) | indent(2) }}
) as checked_changes
{%- endmacro %}
