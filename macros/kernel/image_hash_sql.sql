{#-
  A 64-bit hash of what a change leaves of its row: two changes with equal hashes have the same
  effect. 0: nothing is left. It decides ties and duplicates, never contents. absent: columns to
  take as NULL.

  xxhash64 skips NULLs, so each column is hashed with its own nullness.
-#}
{% macro image_hash_sql(plan, side='', absent=[]) -%}
{%- set terms = [dbt_changelog.equal_text_sql(plan, dbt_changelog.image_row_sql(plan))]
    if plan.compared is none else [] -%}
{%- for column in plan.compared or [] -%}
{%- set value = side ~ dbt_changelog.quote(column.name) if column not in absent
    else 'cast(null as ' ~ column.type ~ ')' -%}
{%- do terms.append(
    'isnull(' ~ value ~ '), ' ~ dbt_changelog.hashable_sql(value, column)) -%}
{%- endfor -%}
{{ return("if(" ~ side ~ "_row_kind in ('INSERT', 'UPDATE_AFTER'), "
          ~ ('xxhash64(' ~ terms | join(', ') ~ ')' if terms else '1') ~ ', 0)') }}
{%- endmacro %}
