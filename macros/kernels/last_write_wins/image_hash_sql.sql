{#-
  A 64-bit hash of what a change leaves of its row: two changes with equal hashes have the same
  effect. 0: nothing is left. It decides ties and duplicates, never contents. absent: columns to
  take as NULL.

  xxhash64 skips NULLs, so each column is hashed with its own nullness.
-#}
{% macro image_hash_sql(plan, side='', absent=[]) -%}
{%- set terms = [dbt_changelog.equal_text_sql(plan, dbt_changelog._image_row_sql(plan))]
    if plan.compared is none else [] -%}
{%- for column in plan.compared or [] -%}
{%- set value = side ~ dbt_changelog.quote(column.name) if column not in absent
    else 'cast(null as ' ~ column.type ~ ')' -%}
{%- do terms.append(
    'isnull(' ~ value ~ '), ' ~ dbt_changelog.hashable_sql(value, column)) -%}
{%- endfor -%}
{{ return('if(' ~ dbt_changelog.is_live_sql(side) ~ ', '
          ~ ('xxhash64(\n  ' ~ terms | join(',\n  ') ~ '\n)' if terms else 'cast(1 as bigint)')
          ~ ', 0)') }}
{%- endmacro %}

{#-
  The row as text, in the order of its columns, to order changes that nothing else orders. Equal
  rows have one text where the columns are known; else as Spark writes the row, in which the entries
  of a map and the sign of zero are as they came.
-#}
{% macro image_text_sql(plan, side='') -%}
{%- if plan.compared is none -%}
{{ return(dbt_changelog.row_text_sql(dbt_changelog._image_row_sql(plan))) }}
{%- endif -%}
{%- set columns, fields = {}, [] -%}
{%- for column in plan.compared -%}
{%- do columns.update({column.name: column}) -%}
{%- endfor -%}
{%- for name in plan.payload | reject('in', plan.uncompared) -%}
{%- set place = side ~ dbt_changelog.quote(name) -%}
{%- set value = dbt_changelog.comparable_sql(place, columns[name], ['float', 'double'])
    if name in columns else place -%}
{%- do fields.append(value ~ (' as ' ~ dbt_changelog.quote(name) if value != place)) -%}
{%- endfor -%}
{{ return(dbt_changelog.row_text_sql('struct(' ~ fields | join(', ') ~ ')')) }}
{%- endmacro %}

{#- The row of a change whose columns are not known. -#}
{% macro _image_row_sql(plan) -%}
{{ return('struct(* except (' ~ dbt_changelog.csv(['_row_kind', '_sequence', '_ordinal']
          + plan.passthrough) ~ '))') }}
{%- endmacro %}
